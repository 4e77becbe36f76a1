"""`nucleate stats`: what was learned, what it is used for, and what it saved."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.table import Table

from nucleate import figures
from nucleate.cli.screen import Screen
from nucleate.cli.stores import open_to_look
from nucleate.shown.visible import json_text


def stats(context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show what was learned so far, what it is used for, and what it saved."""
    with open_to_look(context) as run:
        found = figures.stats(run, today=datetime.now(UTC).date().isoformat())
    if as_json:
        sys.stdout.write(json_text(found))
        return
    table = Table(show_header=False, box=None, padding=(0, 2))
    for section, values in found.items():
        table.add_row(f"[bold]{section}[/bold]", "", "" if values else "none yet")
        for name, value in values.items():
            table.add_row("", name, f"{value:.2f}" if isinstance(value, float) else f"{value:,}")
    Screen().print(table)
