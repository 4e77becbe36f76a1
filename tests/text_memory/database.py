"""A database as the runtime opens it: WAL, a busy timeout, and writers that wait for their turn."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlmodel import SQLModel


def open_engine(path: Path) -> Engine:
    """Open a database file and create its tables."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    SQLModel.metadata.create_all(engine)
    return engine


def fail_at(engine: Engine, beginning: str) -> Any:
    """Let every statement that begins so fail, as if the process died there; return what event.remove takes."""

    def fail(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith(beginning):
            raise KeyboardInterrupt

    event.listen(engine, "before_cursor_execute", fail)
    return engine, "before_cursor_execute", fail


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
