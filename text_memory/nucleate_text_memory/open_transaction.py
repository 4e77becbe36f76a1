"""Connections: a transaction that is open already, each on it being a savepoint; and what runs plain SQL on one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, DateTime, String, TextClause, bindparam, text

from nucleate_text_memory.reading.statements import QueryRunner


@dataclass(frozen=True)
class OpenTransaction:
    """Begins savepoints on one connection; what they change is kept or lost with its transaction."""

    connection: Connection

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield the connection within a savepoint, which an exception undoes alone."""
        with self.connection.begin_nested():
            yield self.connection


def run_on(connection: Connection) -> QueryRunner:
    """Return what runs plain SQL on a connection."""

    def run(statement: str, **values: object) -> Sequence[Any]:
        lists = tuple(name for name, value in values.items() if isinstance(value, list))
        moments = tuple(name for name, value in values.items() if isinstance(value, datetime))
        return connection.execute(_clause(statement, lists, moments), values).all()

    return run


@cache
def _clause(statement: str, lists: tuple[str, ...], moments: tuple[str, ...]) -> TextClause:
    typed = [bindparam(name, type_=DateTime()) for name in moments]
    return text(statement).bindparams(*typed, *(bindparam(name, expanding=True, type_=String()) for name in lists))
