"""`nucleate doctor`: what works here, and what to do about what does not."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.markup import escape

from nucleate.checks import Check, checks
from nucleate.cli.choices import Choices
from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen

COLOURS = {"ok": "green", "note": "yellow", "no": "red"}


def doctor(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False
) -> None:
    """Look at every part that the product stands on, and say the next step where one does not work.

    Exit code 1 if a part does not work.
    """
    found: list[Check] = []
    console = Screen(highlight=False, soft_wrap=True)
    for check in checks(cast("Choices", context.obj).settings(), lambda: _database(context)):
        found.append(check)
        if not as_json:
            colour = COLOURS[check.state]
            console.print(f"[{colour}]{check.state:<6}[/{colour}]{check.name}: {escape(check.message)}")
    ok = all(check.state != "no" for check in found)
    if as_json:
        sys.stdout.write(json.dumps({"ok": ok, "checks": [asdict(check) for check in found]}, indent=2) + "\n")
    if not ok:
        sys.exit(1)


def _database(context: typer.Context) -> str:
    location = cast("Choices", context.obj).settings().database
    if "://" not in location and not Path(location).exists():
        return f"none yet at {location!r}; the first command that learns makes it"
    with open_runtime(context, looks=True) as runtime:
        return f"{location!r}: {len(runtime.memory.entries())} entries, {len(runtime.library.tools())} tools"
