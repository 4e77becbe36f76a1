"""Copies a library from one database into another, row by row, and shows that both hold the same.

What was copied before is left alone, so that a copy that was cut goes on where it stood. The order of rows is a
database's own, so tables are compared by the number of their rows and by a hash in which order does not count
(Bellare and Micciancio 1997: the sum of the rows' hashes).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, insert, select, text, tuple_

from nucleate.database import Database, all_tables, looking
from nucleate.errors import InputInvalid
from nucleate_text_memory.entries.writing import verify
from nucleate_text_memory.errors import EntryAltered
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_text_memory.open_transaction import run_on
from nucleate_text_memory.reading.entry_rows import where

BATCH = 500
_MODULUS = 1 << 256


@dataclass(frozen=True, kw_only=True)
class TableContent:
    """What one table holds: how many rows, and the sum of their hashes, in hexadecimal digits."""

    table: str
    rows: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class CopiedTable:
    """One table after a copy; `copied` are the rows that were not there before."""

    content: TableContent
    copied: int


def faults(engine: Engine) -> tuple[str, ...]:
    """Return what is wrong with a database, as far as it can tell by itself: its pages, its references, its entries."""
    found: list[str] = []
    with engine.connect() as connection, connection.begin():
        if connection.dialect.name == "sqlite":
            pages = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
            found += [line for line in pages if line != "ok"]
            lost = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            found += [f"row {row[1]} of {row[0]} refers to a row of {row[2]} that is not there" for row in lost]
        for entry in where(run_on(connection)):
            try:
                verify(connection, entry)
            except EntryAltered as fault:
                found.append(str(fault))
    return tuple(found)


def contents(engine: Engine) -> tuple[TableContent, ...]:
    """Return what every table holds, as of one moment."""
    with engine.connect() as connection, connection.begin():
        _see_one_moment(connection)
        return tuple(_content(connection, table) for table in all_tables().sorted_tables)


def copy_database(source: Database, target: Database) -> Iterator[CopiedTable]:
    """Copy every table, each in a transaction of its own; InputInvalid where the target holds anything else."""
    with ExitStack() as opened:
        with looking():
            reading = opened.enter_context(source.engine.connect())
            opened.enter_context(reading.begin())
        _see_one_moment(reading)
        for table in all_tables().sorted_tables:
            with target.engine.begin() as writing:
                be_the_writer(writing)
                copied = _copy(reading, writing, table)
                _count_on(writing, table)
                before, after = _content(reading, table), _content(writing, table)
            if before != after:
                raise InputInvalid(
                    f"table {table.name!r} of the target holds {after.rows} rows, that of the source {before.rows}, "
                    "and they are not the same; copy into a database of which nothing else is made"
                )
            yield CopiedTable(content=after, copied=copied)


def _copy(reading: Connection, writing: Connection, table: Table) -> int:
    key = list(table.primary_key.columns)
    copied = 0
    stored = reading.execution_options(yield_per=BATCH).execute(select(table).order_by(*key)).mappings()
    for batch in stored.partitions():
        keys = [tuple(row[column] for column in key) for row in batch]
        known = {tuple(row) for row in writing.execute(select(*key).where(tuple_(*key).in_(keys)))}
        new = [dict(row) for row, own in zip(batch, keys, strict=True) if own not in known]
        if new:
            writing.execute(insert(table), new)
        copied += len(new)
    return copied


def _count_on(connection: Connection, table: Table) -> None:
    """Let numbers that the database gives go on after those that were copied; SQLite does so by itself."""
    column = table.autoincrement_column
    if connection.dialect.name != "postgresql" or column is None:
        return
    sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
    newest = connection.scalar(select(func.max(column)))
    if sequence and newest:
        connection.execute(text("SELECT setval(:sequence, :newest)"), {"sequence": sequence, "newest": newest})


def _content(connection: Connection, table: Table) -> TableContent:
    count, total = 0, 0
    for row in connection.execution_options(yield_per=BATCH).execute(select(*table.columns)):
        count += 1
        total += int.from_bytes(sha256(json.dumps([_plain(value) for value in row]).encode()).digest(), "big")
    return TableContent(table=table.name, rows=count, sha256=f"{total % _MODULUS:064x}")


def _plain(value: Any) -> Any:
    """Return a stored value as JSON, alike from every database."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat()
    return value.hex() if isinstance(value, bytes | memoryview) else value


def _see_one_moment(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
