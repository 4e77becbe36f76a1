"""Packed recordings as lines: gzip, Zstandard, and the rows of a database that an agent keeps its sessions in."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

SQLITE = b"SQLite format 3\x00"
ZstdError = zstandard.ZstdError
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# The tables of opencode's database, and what orders their rows.
_TABLES = {"session": "time_created, id", "message": "time_created, id", "part": "id"}


def unpacked(stream: BinaryIO, begins: bytes) -> BinaryIO:
    """Return the stream, or what is packed in it, told by how it begins; it is read as it is needed."""
    if begins.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if begins.startswith(_ZSTD):
        reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
        return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", reader)))
    return stream


def rows(path: Path) -> Iterator[str]:
    """Yield every row of the tables that hold sessions as a line of JSON, its table beside; nothing is changed."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        connection.row_factory = sqlite3.Row
        known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table, order in _TABLES.items():
            if table in known:
                for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}"):  # noqa: S608 - ours
                    yield json.dumps({"table": table, **dict(row)}, default=str)
    finally:
        connection.close()
