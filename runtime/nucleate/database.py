"""Opens the database, migrated to the newest schema: SQLite in WAL mode by default, or PostgreSQL by its URL."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import SQLModel

import nucleate.tables
import nucleate_codifier.tables  # noqa: F401
import nucleate_text_memory.tables  # noqa: F401
import nucleate_tool_library.tables
import nucleate_tool_library.trials.trial_tables  # noqa: F401  # these imports fill SQLModel.metadata
from nucleate.errors import DatabaseUnusable

BUSY_MILLISECONDS = 30_000
_POSTGRES = ("postgresql", "postgres")
NEXT_STEP = "move it away, or choose another with --database"


def open_database(location: str) -> Engine:
    """Open a file path or a SQLAlchemy URL; create what is missing; raise DatabaseUnusable otherwise."""
    engine = _engine(location)
    try:
        _migrate(engine)
    except DatabaseError as error:
        engine.dispose()
        cause = str(error.orig or error).splitlines()[0]
        raise DatabaseUnusable(f"the database {_shown(location)!r} cannot be used ({cause}); {NEXT_STEP}") from error
    return engine


def _engine(location: str) -> Engine:
    if "://" in location:
        return _from_url(location)
    path = Path(location)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnusable(f"the folder of {location!r} cannot be made ({error.strerror}); {NEXT_STEP}") from error
    return _sqlite(f"sqlite:///{path}")


def _from_url(location: str) -> Engine:
    try:
        url = make_url(location)
        if url.get_backend_name() == "sqlite":
            return _sqlite(location)
        # The driver that the extra `nucleate[postgres]` brings, where the URL names none.
        return create_engine(url.set(drivername="postgresql+psycopg") if url.drivername in _POSTGRES else url)
    except (ArgumentError, ModuleNotFoundError) as error:
        cause = f"{error}; PostgreSQL needs: pip install 'nucleate[postgres]'" if "psycopg" in str(error) else error
        raise DatabaseUnusable(
            f"the database URL {_shown(location)!r} cannot be used ({cause}); {NEXT_STEP}"
        ) from error


def _shown(location: str) -> str:
    """Return a location without its password."""
    try:
        return make_url(location).render_as_string(hide_password=True) if "://" in location else location
    except ArgumentError:
        return location


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_MILLISECONDS / 1000})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself: a deferred one cannot wait for the write lock.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", f"busy_timeout={BUSY_MILLISECONDS}", "foreign_keys=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _migrate(engine: Engine) -> None:
    """Make a fresh database directly; hand an older one to Alembic."""
    from nucleate.migrations import (
        HEAD,
        one_at_a_time,
        upgrade,
    )  # Alembic takes 100 ms to import: only where it is needed

    with engine.begin() as connection:
        one_at_a_time(connection)
        tables = inspect(connection).get_table_names()
        if not tables:
            SQLModel.metadata.create_all(connection)
            nucleate.tables.stamp(connection, HEAD)
            return
        if "alembic_version" not in tables:
            raise DatabaseUnusable(f"the database {str(engine.url)!r} holds other tables than ours; {NEXT_STEP}")
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision != HEAD:
        upgrade(engine)
