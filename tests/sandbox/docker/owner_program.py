"""`python -m tests.sandbox.docker.owner_program END`: owns containers with calls under way, says so, and ends as it is told."""

from __future__ import annotations

import os
import signal
import sys
import threading

from nucleate_sandbox import DockerSandbox, Functions, Json, JsonObject, Limits
from tests.sandbox.docker.programs import Shop, module

CALLS = 4
SPIN = module("def tool():\n    env.shop.here()\n    while True:\n        pass\n")


def main(end: str) -> None:
    """Run calls that never return; the sandbox is closed by nobody."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
    arrived = threading.Semaphore(0)

    def here(arguments: JsonObject) -> Json:
        arrived.release()
        return None

    sandbox, functions = DockerSandbox(), Functions.of(Shop(more={"shop.here": here}))
    notebook = sandbox.open()
    notebook.run("x = 1")

    def work() -> None:
        limits = Limits(wall_seconds=300, cpu_seconds=300)
        with sandbox.open(functions=functions, limits=limits) as session:
            session.call(SPIN, "tool", {})

    for _ in range(CALLS):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(CALLS):
        arrived.acquire()
    print(os.getpid(), flush=True)
    if end == "exception":
        raise ValueError(end)
    if end != "exit":
        os.kill(os.getpid(), signal.Signals[end])
        signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
