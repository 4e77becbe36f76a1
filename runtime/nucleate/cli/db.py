"""`nucleate db`: copy a library into another database, and look whether one is sound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.cli.screen import Screen
from nucleate.database import Database, looking
from nucleate.database_copy import contents, copy_database, faults
from nucleate.errors import DatabaseUnusable, InputInvalid


def move(
    source: Annotated[str, typer.Argument(help="The file or URL that is copied; nothing in it changes.")],
    target: Annotated[str, typer.Argument(help="The file or URL that is made, or that an earlier copy began.")],
) -> None:
    """Copy a library into another database, SQLite or PostgreSQL, and compare both by counts and hashes.

    What was copied before is left alone, so a copy that was cut goes on. Stop the workers of the source first: what
    they write meanwhile is not copied.
    """
    console = Screen()
    if source == target:
        raise InputInvalid(f"{source!r} is both source and target; name another target")
    rows = copied = 0
    with ExitStack() as opened:
        with looking():
            old = opened.enter_context(_opened(source, exists=True))
        new = opened.enter_context(_opened(target))
        for done in copy_database(old, new):
            rows, copied = rows + done.content.rows, copied + done.copied
            console.print(
                f"{done.content.table:<20} {done.content.rows:>8} rows  {done.content.sha256[:16]}", highlight=False
            )
    console.print(f"{copied} rows copied, {rows - copied} were there; both hold the same", highlight=False)
    console.print(
        f"use it with: nucleate --database {new.shown} …, or NUCLEATE_DATABASE", soft_wrap=True, highlight=False
    )


def check(
    context: typer.Context, place: Annotated[str, typer.Argument(help="Another one than the setting.")] = ""
) -> None:
    """Show what every table holds, with a hash, and say what is wrong; exit code 1 where anything is."""
    console = Screen()
    place = place or cast("Choices", context.obj).database()
    with looking(), _opened(place, exists=True) as database:
        for content in contents(database.engine):
            console.print(f"{content.table:<20} {content.rows:>8} rows  {content.sha256[:16]}", highlight=False)
        found = faults(database.engine)
    for fault in found:
        console.print(fault, soft_wrap=True, highlight=False)
    console.print("nothing is wrong" if not found else f"{len(found)} faults", highlight=False)
    if found:
        raise typer.Exit(1)


@contextmanager
def _opened(location: str, *, exists: bool = False) -> Iterator[Database]:
    database = Database(location)
    if exists and database.file is not None and not database.file.exists():
        raise DatabaseUnusable(f"there is no database {location!r}; name one that exists")
    database.open()
    try:
        yield database
    finally:
        database.engine.dispose()
