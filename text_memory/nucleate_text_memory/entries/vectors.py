"""Vectors of entries: stored with the model and dimension that made them, and never mixed."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection, delete, insert, or_, select

from nucleate_text_memory.embedding.embedders import Embedder, Vectors
from nucleate_text_memory.errors import EmbedderChanged, EmbedderUnavailable
from nucleate_text_memory.tables import VECTOR
from nucleate_text_memory.values import Entry

_BATCH = 500
_LOG = logging.getLogger(__name__)


def text_of(entry: Entry) -> str:
    """Return the text of an entry that is embedded and searched."""
    return f"{entry.title}\n{entry.body}"


def check(connection: Connection, embedder: Embedder) -> None:
    """Raise EmbedderChanged if a stored vector is of another model or dimension."""
    other = or_(VECTOR.c.model != embedder.model, VECTOR.c.dimension != embedder.dimension)
    row = connection.execute(select(VECTOR.c.model, VECTOR.c.dimension).where(other).limit(1)).first()
    if row is not None:
        stored, now = f"{row.model!r} ({row.dimension})", f"{embedder.model!r} ({embedder.dimension})"
        raise EmbedderChanged(f"entries were embedded with {stored}, the embedder is {now}; call reindex()")


def write(connection: Connection, entries: Sequence[Entry], embedder: Embedder) -> None:
    """Embed the entries that have no vector yet, and store the vectors; none while the model's files are missing."""
    check(connection, embedder)
    known = set(connection.scalars(select(VECTOR.c.entry_id).where(VECTOR.c.entry_id.in_([e.id for e in entries]))))
    new = [entry for entry in entries if entry.id not in known]
    rows = _embedded(new, embedder)
    if new and rows is not None:
        made = {"model": embedder.model, "dimension": embedder.dimension}
        connection.execute(
            insert(VECTOR),
            [{"entry_id": e.id, "vector": row.tobytes(), **made} for e, row in zip(new, rows, strict=True)],
        )


def read(connection: Connection, entries: Sequence[Entry], embedder: Embedder) -> Vectors | None:
    """Return one row per entry; None if some were written while the model was missing, and it still is."""
    check(connection, embedder)
    found: dict[str, bytes] = {}
    for start in range(0, len(entries), _BATCH):
        wanted = VECTOR.c.entry_id.in_([entry.id for entry in entries[start : start + _BATCH]])
        stored = connection.execute(select(VECTOR.c.entry_id, VECTOR.c.vector).where(wanted))
        found |= {row.entry_id: row.vector for row in stored}
    missing = [entry for entry in entries if entry.id not in found]
    made = _embedded(missing, embedder)
    if made is None:
        return None
    found |= {entry.id: row.tobytes() for entry, row in zip(missing, made, strict=True)}
    return np.frombuffer(b"".join(found[e.id] for e in entries), dtype=np.float32).reshape(-1, embedder.dimension)


def clear(connection: Connection) -> None:
    """Delete every vector; they can be made again from the entries."""
    connection.execute(delete(VECTOR))


def _embedded(entries: Sequence[Entry], embedder: Embedder) -> Vectors | None:
    if not entries:
        return np.zeros((0, embedder.dimension), dtype=np.float32)
    try:
        return embedder.embed([text_of(entry) for entry in entries])
    except EmbedderUnavailable as error:
        _LOG.warning("%s; until then entries are found by words and names alone", error)
        return None
