"""Opens the database, migrated to the newest schema: SQLite in WAL mode by default, or PostgreSQL by its URL."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, MetaData, create_engine, event, inspect, text
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from nucleate.errors import DatabaseUnusable
from nucleate.lock_holders import OLDEST_TRANSACTION, file_holder, session_holder
from nucleate.looking import NEXT_STEP, connect

# Every module that describes tables; importing them fills SQLModel.metadata.
DESCRIBED = (
    "nucleate.tables",
    "nucleate_codifier.tables",
    "nucleate_text_memory.tables",
    "nucleate_tool_library.tables",
    "nucleate_tool_library.trials.trial_tables",
)
_POSTGRES = ("postgresql", "postgres")
_LOCKED = ("is locked", "lock timeout")
START_IT = "start it, or choose another with --database"
OUT = (SQLAlchemyError, DatabaseUnusable)  # what says that the database cannot be used now


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long a transaction waits for others, and whether it takes the right to write when it begins (on SQLite).

    Who only `looks` opens the database for reading alone.
    """

    milliseconds: int = 30_000
    writes: bool = True
    looks: bool = False


PATIENT = Patience()
BRIEF_MILLISECONDS = 25
SHORT_MILLISECONDS = 1_000
_PATIENCE: ContextVar[Patience] = ContextVar("nucleate_patience", default=PATIENT)


def is_busy(fault: Exception) -> bool:
    """Return whether somebody else has the database, who may soon be done."""
    said = str(getattr(fault, "orig", None) or fault)
    return any(words in said for words in _LOCKED)


@contextmanager
def briefly(*, writes: bool, milliseconds: int = BRIEF_MILLISECONDS) -> Iterator[None]:
    """Wait for nobody for long within the block: somebody else's program is what waits here.

    Transactions that only read wait for no writer at all.
    """
    with _patience(replace(_PATIENCE.get(), milliseconds=milliseconds, writes=writes)):
        yield


def changing(milliseconds: int) -> AbstractContextManager[None]:
    """Change things within the block, also where whoever calls only looks; wait for other writers only so long."""
    return _patience(Patience(milliseconds=milliseconds))


def looking() -> AbstractContextManager[None]:
    """Change nothing within the block, make nothing, and wait for nobody who writes."""
    return _patience(Patience(writes=False, looks=True))


@contextmanager
def _patience(patience: Patience) -> Iterator[None]:
    token = _PATIENCE.set(patience)
    try:
        yield
    finally:
        _PATIENCE.reset(token)


class _OutOfOrder(DatabaseUnusable, OperationalError):
    """What the driver says of a database that cannot be used, as our error; for who catches SQLAlchemy's it is one."""

    def __init__(self, message: str, fault: SQLAlchemyError) -> None:
        self.said = message
        OperationalError.__init__(
            self, getattr(fault, "statement", None), None, getattr(fault, "orig", None) or fault, hide_parameters=True
        )

    def __str__(self) -> str:
        return self.said


class Database:
    """One database: its engine, which connects when it is first used, and `open`, which makes sure of its schema."""

    def __init__(self, location: str) -> None:
        self.shown = shown(location)
        self.engine = _engine(location)
        self.place = _place(self.engine)
        self.file = None if _is_uri(self.engine) else self.place
        self._opened: tuple[int, int] | None = None
        event.listen(self.engine, "handle_error", self._handle, retval=True)

    def open(self) -> bool:
        """Create what is missing, migrate what is old, and return whether that was needed; else DatabaseUnusable.

        A file that was deleted or replaced since the last time is another database: connections to it are dropped.
        """
        if self._opened is not None and self._opened == self._identity():
            return False
        self.engine.dispose()
        self._opened = None
        try:
            self._make_file()
            _migrate(self.engine)
        except OSError as error:
            raise self._because(f"its folder or file cannot be made: {error.strerror}") from error
        except SQLAlchemyError as error:
            self.engine.dispose()
            raise self.unusable(error) from error
        self._opened = self._identity()
        return True

    def _make_file(self) -> None:
        """Make the file before SQLite does, so that only its owner may read it; its log and its index follow it."""
        if _PATIENCE.get().looks:
            return
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            if not self.file.exists():
                os.close(os.open(self.file, os.O_CREAT | os.O_WRONLY, 0o600))

    def _identity(self) -> tuple[int, int] | None:
        if self.file is None:
            return 0, 0
        try:
            found = self.file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def unusable(self, error: Exception) -> DatabaseUnusable:
        """Return an error of the database as one that names it, with the next step."""
        if isinstance(error, DatabaseUnusable):
            return error
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        if not is_busy(error):
            return self._because(cause)
        holder = self._holder()
        return DatabaseUnusable(
            f"the database {self.shown!r} cannot be used ({cause}{f'; {holder} has it' if holder else ''}); "
            "try again when whoever has it is done, or choose another with --database"
        )

    def _handle(self, context: ExceptionContext) -> DBAPIError | None:
        """Say of every statement that finds the database out of order what it is and what to do; see SQLAlchemy."""
        if context.is_pre_ping:
            return None  # another connection is made, and that says what is wrong
        fault = context.sqlalchemy_exception
        if isinstance(fault, OperationalError | InterfaceError | InternalError) or type(fault) is DatabaseError:
            return _OutOfOrder(str(self.unusable(fault)), fault)
        if self.engine.dialect.name == "sqlite" or not isinstance(fault, DBAPIError):
            return None
        from nucleate.postgres import without_values  # its driver is an extra

        return without_values(fault)

    def _holder(self) -> str:
        if self.place is not None:
            return file_holder(self.place)
        if self.engine.dialect.name == "sqlite" or _PATIENCE.get().milliseconds < SHORT_MILLISECONDS:
            return ""
        try:
            with self.engine.connect() as connection:
                row = connection.exec_driver_sql(OLDEST_TRANSACTION).first()
        except SQLAlchemyError:
            return ""
        return session_holder(row and tuple(row))

    def _because(self, cause: str) -> DatabaseUnusable:
        step = NEXT_STEP if self.engine.dialect.name == "sqlite" else START_IT
        return DatabaseUnusable(f"the database {self.shown!r} cannot be used ({cause}); {step}")


def open_database(location: str) -> Engine:
    """Open a file path or a SQLAlchemy URL; create what is missing; raise DatabaseUnusable otherwise."""
    database = Database(location)
    database.open()
    return database.engine


def _place(engine: Engine) -> Path | None:
    """Return the file of a database that is one."""
    name = str(engine.url.database or ":memory:").removeprefix("file:").partition("?")[0]
    return Path(name) if engine.dialect.name == "sqlite" and name != ":memory:" else None


def _is_uri(engine: Engine) -> bool:
    """Return whether SQLite itself reads an address, which may say that nothing is to be made or written."""
    return str(engine.url.database).startswith("file:")


def _engine(location: str) -> Engine:
    return _from_url(location) if "://" in location else _sqlite(f"sqlite:///{Path(location)}")


def _from_url(location: str) -> Engine:
    try:
        url = make_url(location)
        if url.get_backend_name() == "sqlite":
            return _sqlite(location)
        # The driver that the extra `nucleate[postgres]` brings, where the URL names none.
        named = url.set(drivername="postgresql+psycopg") if url.drivername in _POSTGRES else url
        if named.drivername != "postgresql+psycopg":
            return create_engine(named)
        from nucleate.postgres import postgres_engine  # its driver is an extra

        return postgres_engine(named, brief=_milliseconds, reads=lambda: _PATIENCE.get().looks)
    except (ArgumentError, ModuleNotFoundError) as error:
        cause = f"{error}; PostgreSQL needs: pip install 'nucleate[postgres]'" if "psycopg" in str(error) else error
        raise DatabaseUnusable(f"the database URL {shown(location)!r} cannot be used ({cause}); {NEXT_STEP}") from error


def _milliseconds() -> int | None:
    patience = _PATIENCE.get()
    return None if patience.milliseconds >= PATIENT.milliseconds else patience.milliseconds


def shown(location: str) -> str:
    """Return a location without its password."""
    try:
        return make_url(location).render_as_string(hide_password=True) if "://" in location else location
    except ArgumentError:
        return location


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "do_connect", _for_reading)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _for_reading(_dialect: Dialect, _record: Any, words: list[Any], named: dict[str, Any]) -> sqlite3.Connection | None:
    """Connect for reading alone where somebody only looks; None leaves it to the driver."""
    path = str(words[0]) if words else ":memory:"
    if not _PATIENCE.get().looks or path.startswith((":memory:", "file:")):
        return None
    return connect(path, **named)


def _prepare(connection: sqlite3.Connection, _record: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself: a deferred one cannot wait for the write lock.
    connection.isolation_level = None
    if _PATIENCE.get().looks:
        connection.execute("PRAGMA query_only=ON")
        return
    waits = f"busy_timeout={_PATIENCE.get().milliseconds}"  # first: the log may be somebody's
    for pragma in (waits, "journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    patience = _PATIENCE.get()
    if connection.info.get("waits") != patience.milliseconds:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={patience.milliseconds}")
        connection.info["waits"] = patience.milliseconds
    connection.exec_driver_sql("BEGIN IMMEDIATE" if patience.writes else "BEGIN")


def _migrate(engine: Engine) -> None:
    """Make a fresh database directly; hand an older one to Alembic."""
    from nucleate.migrations import (
        HEAD,
        one_at_a_time,
        stamp,
        upgrade,
    )  # Alembic takes 100 ms to import: only where it is needed

    with engine.begin() as connection:
        one_at_a_time(connection)
        tables = inspect(connection).get_table_names()
        if not tables:
            all_tables().create_all(connection)
            stamp(connection, HEAD)
            return
        if "alembic_version" not in tables:
            raise DatabaseUnusable(f"the database {str(engine.url)!r} holds other tables than ours; {NEXT_STEP}")
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision != HEAD:
        _newer(str(revision), HEAD, engine)
        with _patience(PATIENT):  # also for who only looks: an older schema cannot be read as it is
            engine.dispose()
            upgrade(engine)
            engine.dispose()


def _newer(revision: str, head: str, engine: Engine) -> None:
    """Refuse a schema that this version does not know."""
    if revision > head:
        raise DatabaseUnusable(
            f"the database {str(engine.url)!r} is of a newer nucleate (schema {revision}; this one knows {head}); "
            "install that version here, or choose another database with --database"
        )


def all_tables() -> MetaData:
    """Return the tables of every package; who finds them made does not import what describes them."""
    from sqlmodel import SQLModel

    for module in DESCRIBED:
        import_module(module)
    return SQLModel.metadata
