"""`nucleate demo`: watch recurring plans become tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.cli.screen import Screen
from nucleate.demo.place import demo_database
from nucleate.demo.show import run_demo

WIDTH = 118


def demo(
    context: typer.Context,
    svg: Annotated[Path | None, typer.Option(help="Also write what is shown to this SVG file.")] = None,
) -> None:
    """Watch a scripted agent work, and recurring plans become tested tools. Needs no key, and no Docker to start."""
    choices = cast("Choices", context.obj)
    place = demo_database(choices.settings().database)
    console = Screen(record=svg is not None, width=WIDTH if svg is not None else None)
    solved = run_demo(console, choices.settings(database=place))
    if svg is not None:
        console.save_svg(str(svg), title="make demo")
    if not solved:
        sys.exit(1)
