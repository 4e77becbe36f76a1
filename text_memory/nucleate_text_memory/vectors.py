"""Vectors of entries: stored with the model and dimension that made them, and never mixed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection, delete, insert, or_, select

from nucleate_text_memory.embedding import Embedder, Vectors
from nucleate_text_memory.errors import EmbedderChanged
from nucleate_text_memory.tables import VECTOR
from nucleate_text_memory.values import Entry


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
    """Embed the entries that have no vector yet, and store the vectors."""
    check(connection, embedder)
    known = set(connection.scalars(select(VECTOR.c.entry_id).where(VECTOR.c.entry_id.in_([e.id for e in entries]))))
    new = [entry for entry in entries if entry.id not in known]
    if new:
        made = {"model": embedder.model, "dimension": embedder.dimension}
        rows = embedder.embed([text_of(entry) for entry in new])
        connection.execute(
            insert(VECTOR),
            [{"entry_id": e.id, "vector": row.tobytes(), **made} for e, row in zip(new, rows, strict=True)],
        )


def read(connection: Connection, entries: Sequence[Entry], embedder: Embedder) -> Vectors:
    """Return one row per entry."""
    check(connection, embedder)
    wanted = VECTOR.c.entry_id.in_([entry.id for entry in entries])
    stored = connection.execute(select(VECTOR.c.entry_id, VECTOR.c.vector).where(wanted))
    found = {row.entry_id: row.vector for row in stored}
    return np.array([np.frombuffer(found[entry.id], dtype=np.float32) for entry in entries], dtype=np.float32)


def clear(connection: Connection) -> None:
    """Delete every vector; they can be made again from the entries."""
    connection.execute(delete(VECTOR))
