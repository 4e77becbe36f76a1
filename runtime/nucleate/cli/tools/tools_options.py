"""What the commands of `nucleate tools` share: options, the library without a runtime around it, JSON."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.database import Database, looking, open_database
from nucleate.errors import DatabaseUnusable
from nucleate.hosting.leaving import jobs_left
from nucleate.jobs import Jobs
from nucleate_tool_library import ToolLibrary

Name = Annotated[str, typer.Argument(help="The tool's name, or one that it had before.", show_default=False)]
Scope = Annotated[str | None, typer.Option(help="The environment, where the name alone is ambiguous.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
By = Annotated[str | None, typer.Option(help="Who says so; your login name, if not given.")]
Why = Annotated[str, typer.Option(help="The reason; it is kept in the tool's history.", show_default=False)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Make the change without being asked.")]


@contextmanager
def open_library(context: typer.Context, *, looks: bool = True) -> Iterator[ToolLibrary]:
    """Open the library alone: no sandbox is started and nothing is learned meanwhile, and who looks changes nothing."""
    location = cast("Choices", context.obj).settings().database
    if "://" not in location and not Path(location).exists():
        raise DatabaseUnusable(f"no database at {location!r}; `nucleate demo` or `nucleate ingest` makes one")
    if looks:
        context.with_resource(looking())
    engine = open_database(location)
    try:
        yield ToolLibrary(engine)
    finally:
        engine.dispose()


def queued(context: typer.Context) -> str:
    """Say how many jobs wait, and what does them; nothing where none does."""
    database = Database(cast("Choices", context.obj).settings().database)
    try:
        return jobs_left(database, Jobs(database.engine))
    finally:
        database.engine.dispose()


def person(by: str | None) -> str:
    """Return who makes a change: what was given, or the login name."""
    return by or getpass.getuser()


def print_json(value: object) -> None:
    """Write a value as indented JSON."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
