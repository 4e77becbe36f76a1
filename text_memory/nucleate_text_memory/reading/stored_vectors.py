"""Vectors of entries as they were stored, with the model and dimension that made them; never mixed."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from nucleate_text_memory.embedding.embedders import Embedder, Vectors
from nucleate_text_memory.errors import EmbedderChanged, EmbedderUnavailable
from nucleate_text_memory.reading.statements import QueryRunner, parts
from nucleate_text_memory.values import Entry

_OTHERS = "SELECT model, dimension FROM entry_vector WHERE model <> :model OR dimension <> :dimension LIMIT 1"
_STORED = "SELECT entry_id, vector FROM entry_vector WHERE entry_id IN :ids"
_LOG = logging.getLogger(__name__)


def text_of(entry: Entry) -> str:
    """Return the text of an entry that is embedded and searched."""
    return f"{entry.title}\n{entry.body}"


def check(run: QueryRunner, embedder: Embedder) -> None:
    """Raise EmbedderChanged if a stored vector is of another model or dimension."""
    others = run(_OTHERS, model=embedder.model, dimension=embedder.dimension)
    if others:
        stored = f"{others[0].model!r} ({others[0].dimension})"
        now = f"{embedder.model!r} ({embedder.dimension})"
        raise EmbedderChanged(f"entries were embedded with {stored}, the embedder is {now}; call reindex()")


def read(run: QueryRunner, entries: Sequence[Entry], embedder: Embedder) -> Vectors | None:
    """Return one row per entry; None if some were written while the model was missing, and it still is."""
    check(run, embedder)
    found = {row.entry_id: row.vector for part in parts([e.id for e in entries]) for row in run(_STORED, ids=part)}
    missing = [entry for entry in entries if entry.id not in found]
    made = embedded(missing, embedder)
    if made is None:
        return None
    found |= {entry.id: row.tobytes() for entry, row in zip(missing, made, strict=True)}
    return np.frombuffer(b"".join(found[e.id] for e in entries), dtype=np.float32).reshape(-1, embedder.dimension)


def embedded(entries: Sequence[Entry], embedder: Embedder) -> Vectors | None:
    """Return one row per entry; None, and a warning, while the model is missing."""
    if not entries:
        return np.zeros((0, embedder.dimension), dtype=np.float32)
    try:
        return embedder.embed([text_of(entry) for entry in entries])
    except EmbedderUnavailable as error:
        _LOG.warning("%s; until then entries are found by words and names alone", error)
        return None
