"""Looks into a SQLite file with its own driver: importing SQLAlchemy takes longer than most looks.

What is asked are the statements of the stores themselves, so that there is one owner of each, and no second schema.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nucleate.errors import DatabaseUnusable
from nucleate.migrations import HEAD
from nucleate_tool_library import StatementRunner

NEXT_STEP = "move it away, or choose another with --database"
_NAMED = re.compile(r":([a-z_]+)")


class _Row(sqlite3.Row):
    def __getattr__(self, name: str) -> Any:
        return self[name]


@contextmanager
def looked_into(location: str) -> Iterator[StatementRunner | None]:
    """Open a database for reading alone, in one transaction; None if it is no file, or of another schema than ours."""
    connection = None if "://" in location else _opened(Path(location))
    if connection is None:
        yield None
        return
    with closing(connection):
        try:
            yield _runner(connection)
        except sqlite3.Error as error:
            raise DatabaseUnusable(f"the database {location!r} cannot be used ({error}); {NEXT_STEP}") from error


def _opened(path: Path) -> sqlite3.Connection | None:
    """Open a file that is at this version's schema; any doubt is left to whoever can migrate, or say what is wrong."""
    if not path.is_file():
        return None
    try:
        connection = connect(str(path))
        connection.isolation_level = None
        connection.execute("BEGIN")
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error:
        return None
    if found != [(HEAD,)]:
        connection.close()
        return None
    connection.row_factory = _Row
    return connection


def connect(path: str, **named: Any) -> sqlite3.Connection:
    """Connect to a file for reading alone."""
    place = f"file:{quote(path)}?mode=ro"
    named = {**named, "uri": True}
    connection: sqlite3.Connection = sqlite3.connect(place, **named)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        connection.close()
        if "open" not in str(error) and "readonly" not in str(error):
            raise
        # SQLite wants to make its log's index beside the file, where nothing can be made: then nobody writes either.
        connection = sqlite3.connect(f"{place}&immutable=1", **named)
    return connection


def _runner(connection: sqlite3.Connection) -> StatementRunner:
    def run(statement: str, **values: object) -> Sequence[Any]:
        return connection.execute(_spread(statement, values), _plain(values)).fetchall()

    return run


def _spread(statement: str, values: Mapping[str, object]) -> str:
    """Return a statement in which each list stands as its members."""

    def member(found: re.Match[str]) -> str:
        value = values.get(found[1])
        if not isinstance(value, list):
            return found[0]
        # An empty list holds nothing: a comparison with it is never true.
        return f"({', '.join(f':{found[1]}__{at}' for at in range(len(value))) or 'NULL'})"

    return _NAMED.sub(member, statement)


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    found = {name: _stored(value) for name, value in values.items() if not isinstance(value, list)}
    lists = {name: value for name, value in values.items() if isinstance(value, list)}
    return found | {f"{name}__{at}": member for name, value in lists.items() for at, member in enumerate(value)}


def _stored(value: object) -> object:
    """Return a value as it is stored: a moment as text in UTC, which sorts as the moments do."""
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime) else value
