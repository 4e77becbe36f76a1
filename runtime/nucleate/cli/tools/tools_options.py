"""What the commands of `nucleate tools` share: options, who makes a change, JSON."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from nucleate.shown.visible import json_text

Name = Annotated[str, typer.Argument(help="The tool's name, or one that it had before.", show_default=False)]
Scope = Annotated[str | None, typer.Option(help="The environment, where the name alone is ambiguous.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
By = Annotated[str | None, typer.Option(help="Who says so; your login name, if not given.")]
Why = Annotated[str, typer.Option(help="The reason; it is kept in the tool's history.", show_default=False)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Make the change without being asked.")]


def person(by: str | None) -> str:
    """Return who makes a change: what was given, or the login name."""
    return by or getpass.getuser()


def print_json(value: object) -> None:
    """Write a value as indented JSON."""
    sys.stdout.write(json_text(value))
