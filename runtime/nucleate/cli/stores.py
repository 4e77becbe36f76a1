"""The stores that a command looks into, opened without a runtime around them: nothing runs and nothing is learned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.errors import DatabaseUnusable
from nucleate.looking import looked_into

if TYPE_CHECKING:  # a command imports the store that it looks into, and no other
    from sqlalchemy import Engine

    from nucleate.jobs.queue import Jobs
    from nucleate_text_memory import Embedder, MemoryReader, TextMemory
    from nucleate_tool_library import LibraryReader, StatementRunner, ToolLibrary


@contextmanager
def open_to_look(context: typer.Context) -> Iterator[StatementRunner]:
    """Open the database that the options name for statements that only read: a file by SQLite's own driver."""
    location = cast("Choices", context.obj).database()
    must_exist(location)
    with looked_into(location) as run:
        if run is not None:
            yield run
            return
    with open_engine(context) as engine, engine.connect() as connection:
        from nucleate_text_memory.open_transaction import run_on

        yield run_on(connection)


@contextmanager
def open_library_reader(context: typer.Context) -> Iterator[LibraryReader]:
    """Open the tool library to be read."""
    with open_to_look(context) as run:
        yield library_reader(run)


def library_reader(run: StatementRunner) -> LibraryReader:
    """Return the tool library as it is read by statements."""
    from nucleate_tool_library import LibraryReader

    return LibraryReader(lambda: nullcontext(run))


@contextmanager
def open_engine(context: typer.Context, *, looks: bool = True, make: bool = False) -> Iterator[Engine]:
    """Open the database that the options name; a command that only looks makes and changes none."""
    from nucleate.database import looking, open_database

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
def open_reader(context: typer.Context) -> Iterator[MemoryReader]:
    """Open the text memory to be read."""
    with open_to_look(context) as run:
        yield reader(context, run)


def reader(context: typer.Context, run: StatementRunner) -> MemoryReader:
    """Return the text memory as it is read by statements."""
    from nucleate_text_memory import MemoryReader

    return MemoryReader(lambda: nullcontext(run), embedder=lambda: embedder(context))


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


def queued(context: typer.Context, run: StatementRunner) -> str:
    """Say how many jobs wait, and what does them; nothing where none does."""
    from nucleate.jobs import shown
    from nucleate.jobs.job_values import JobState
    from nucleate.jobs.left import left_to_learn

    waiting = shown.counts(run).get(JobState.QUEUED, 0)
    return left_to_learn(waiting, _without_password(cast("Choices", context.obj).database()))


def _without_password(location: str) -> str:
    if "://" not in location:
        return location
    from nucleate.database import shown

    return shown(location)
