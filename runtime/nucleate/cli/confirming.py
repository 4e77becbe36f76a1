"""Asks the person at the terminal before something destructive is done."""

from __future__ import annotations

import getpass
import json
import select
import sys

from nucleate.shown.visible import visible
from nucleate_sandbox import FunctionSpec, JsonObject

SECONDS = 25.0  # a sandboxed program waits 30 for its call: a yes that comes later must do nothing
YES = frozenset({"y", "yes"})


class AtTerminal:
    """Asks on standard error and waits for a yes; no terminal, another answer or none in time is a no."""

    @property
    def by(self) -> str:
        """Return the person at the terminal, for the record."""
        try:
            return f"{getpass.getuser()} at the terminal"
        except (OSError, KeyError):  # no such user in this container
            return "somebody at the terminal"

    def __call__(self, spec: FunctionSpec, arguments: JsonObject) -> bool:
        if not sys.stdin.isatty():
            return False
        shown = json.dumps(arguments, ensure_ascii=False)
        asked = f"{spec.name} is destructive: {spec.doc.strip()}\nwith {shown[:2000]}\ncall it? [y/N] "
        sys.stderr.write(visible(f"\n{asked}"))
        sys.stderr.flush()
        ready, _, _ = select.select([sys.stdin], [], [], SECONDS)
        return bool(ready) and sys.stdin.readline().strip().lower() in YES


class Yes(AtTerminal):
    """Says yes: whoever gave `--yes` has said it."""

    @property
    def by(self) -> str:
        return f"{super().by} with --yes"

    def __call__(self, spec: FunctionSpec, arguments: JsonObject) -> bool:  # noqa: ARG002
        return True
