"""Stores the vectors of entries, with the model and dimension that made them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from nucleate_text_memory.embedding.embedders import Embedder
from nucleate_text_memory.open_transaction import run_on
from nucleate_text_memory.reading.stored_vectors import check, embedded
from nucleate_text_memory.tables import VECTOR
from nucleate_text_memory.values import Entry


def write(connection: Connection, entries: Sequence[Entry], embedder: Embedder) -> None:
    """Embed the entries that have no vector yet, and store the vectors; none while the model's files are missing."""
    check(run_on(connection), embedder)
    known = set(connection.scalars(select(VECTOR.c.entry_id).where(VECTOR.c.entry_id.in_([e.id for e in entries]))))
    new = [entry for entry in entries if entry.id not in known]
    rows = embedded(new, embedder)
    if new and rows is not None:
        made = {"model": embedder.model, "dimension": embedder.dimension}
        connection.execute(
            insert(VECTOR),
            [{"entry_id": e.id, "vector": row.tobytes(), **made} for e, row in zip(new, rows, strict=True)],
        )


def clear(connection: Connection) -> None:
    """Delete every vector; they can be made again from the entries."""
    connection.execute(delete(VECTOR))
