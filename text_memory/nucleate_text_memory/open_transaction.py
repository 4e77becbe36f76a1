"""A transaction that is open already, as something on which a memory may begin its own: each is a savepoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection


@dataclass(frozen=True)
class OpenTransaction:
    """Begins savepoints on one connection; what they change is kept or lost with its transaction."""

    connection: Connection

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield the connection within a savepoint, which an exception undoes alone."""
        with self.connection.begin_nested():
            yield self.connection
