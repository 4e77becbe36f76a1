"""The stores that a command looks into, opened without a runtime around them: nothing runs and nothing is learned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.database import Database, looking, open_database
from nucleate.errors import DatabaseUnusable

if TYPE_CHECKING:  # a command imports the store that it looks into, and no other
    from sqlalchemy import Engine

    from nucleate.jobs.queue import Jobs
    from nucleate_text_memory import Embedder, TextMemory
    from nucleate_tool_library import ToolLibrary


@contextmanager
def open_engine(context: typer.Context, *, looks: bool = True, make: bool = False) -> Iterator[Engine]:
    """Open the database that the options name; a command that only looks makes and changes none."""
    location = cast("Choices", context.obj).database()
    if not make:
        must_exist(location)
        if looks:
            context.with_resource(looking())
    engine = open_database(location)
    try:
        yield engine
    finally:
        engine.dispose()


def must_exist(location: str) -> None:
    """Raise DatabaseUnusable where a file is named that is not there."""
    if "://" not in location and not Path(location).exists():
        raise DatabaseUnusable(f"no database at {location!r}; `nucleate demo` or `nucleate ingest` makes one")


@contextmanager
def open_library(context: typer.Context, *, looks: bool = True) -> Iterator[ToolLibrary]:
    """Open the tool library alone."""
    from nucleate_tool_library import ToolLibrary

    with open_engine(context, looks=looks) as engine:
        yield ToolLibrary(engine)


@contextmanager
def open_memory(context: typer.Context, *, looks: bool = True, make: bool = False) -> Iterator[TextMemory]:
    """Open the text memory alone."""
    from nucleate_text_memory import TextMemory

    with open_engine(context, looks=looks, make=make) as engine:
        yield TextMemory(engine, embedder=embedder(context))


def embedder(context: typer.Context) -> Embedder:
    """Return the embedder of the settings; the local one where nothing is configured."""
    choices = cast("Choices", context.obj)
    if not choices.configured():
        from nucleate_text_memory import LocalEmbedder

        return LocalEmbedder()
    from nucleate.models.choose import embedder_of

    return embedder_of(choices.settings())


@contextmanager
def open_jobs(context: typer.Context, *, looks: bool = True) -> Iterator[Jobs]:
    """Open the queue alone."""
    from nucleate.jobs.queue import Jobs

    with open_engine(context, looks=looks) as engine:
        yield Jobs(engine)


def queued(context: typer.Context) -> str:
    """Say how many jobs wait, and what does them; nothing where none does."""
    from nucleate.jobs.left import jobs_left
    from nucleate.jobs.queue import Jobs

    database = Database(cast("Choices", context.obj).database())
    try:
        return jobs_left(database, Jobs(database.engine))
    finally:
        database.engine.dispose()
