"""Packed recordings as lines: gzip, Zstandard, and the rows of a database that an agent keeps its sessions in."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

SQLITE = b"SQLite format 3\x00"
ZstdError = zstandard.ZstdError
_CHUNK = 1 << 16
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# The tables of opencode's database, and what orders their rows.
_TABLES = {"session": "time_created, id", "message": "time_created, id", "part": "id"}


def unpacked(stream: BinaryIO, begins: bytes) -> Iterable[bytes]:
    """Return the lines of a stream, or of what is packed in it, told by how it begins; read as they are needed."""
    if begins.startswith(_GZIP):
        return gzip.GzipFile(fileobj=stream)
    return _lines(_frames(stream)) if begins.startswith(_ZSTD) else stream


def _frames(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what frames hold; ZstdError where the last one breaks off."""
    unpacker, within = zstandard.ZstdDecompressor().decompressobj(), False
    while chunk := stream.read(_CHUNK):
        while chunk:
            yield unpacker.decompress(chunk)
            within, chunk = not unpacker.eof, unpacker.unused_data
            if not within:
                unpacker = zstandard.ZstdDecompressor().decompressobj()
    if within:
        raise ZstdError("the last frame is not whole")


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


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
