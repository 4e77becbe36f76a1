"""One writer at a time, where what is written depends on what was read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, func, select

from nucleate_text_memory.open_transaction import OpenTransaction

MEMORY = 0x6E75_636D  # the key of an advisory lock, which all processes of one database must agree on


def be_the_writer(connection: Connection, key: int = MEMORY) -> None:
    """Wait until nobody else writes under this key; the turn ends with the transaction.

    To be called before the first statement that the writing depends on: PostgreSQL shows each statement what was
    committed before it, so what follows sees all that earlier writers wrote. SQLite has one writer for the whole
    database, who is chosen when the transaction begins. Whoever takes several keys takes them in ascending order.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))


@contextmanager
def writing(engine: Engine | OpenTransaction) -> Iterator[Connection]:
    """Open a transaction that is memory's only writer from its first statement on."""
    with engine.begin() as connection:
        be_the_writer(connection)
        yield connection
