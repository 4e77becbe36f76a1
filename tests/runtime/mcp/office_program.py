"""An environment for a server in a process of its own, which prints wherever it can."""

from __future__ import annotations

import os
import subprocess
import sys

from nucleate_sandbox import Json, JsonObject
from tests.runtime.mcp.office import Office

print("the module of the environment is imported")


class LoudOffice(Office):
    """Prints, writes to the descriptor itself, and has a child that prints."""

    def call(self, name: str, arguments: JsonObject) -> Json:
        print("the environment is called", flush=True)
        sys.__stdout__.write("by the back door\n") if sys.__stdout__ else None
        os.write(1, b"by the descriptor\n")
        subprocess.run([sys.executable, "-S", "-c", "print('by a child')"], check=True)
        return super().call(name, arguments)


def office() -> Office:
    """Return the environment."""
    print("the environment is made")
    return LoudOffice()
