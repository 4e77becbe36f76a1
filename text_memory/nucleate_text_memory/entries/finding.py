"""Finds entries again: one collection per scope and kinds, kept until what is in force there changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from nucleate_text_memory.embedding.embedders import Embedder
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries import vectors
from nucleate_text_memory.retrieval import Collection, Document, retrieve
from nucleate_text_memory.tables import ENTRY
from nucleate_text_memory.values import Entry, Selected, Trust

Key: TypeAlias = tuple[str, tuple[str, ...]]
Stamp: TypeAlias = tuple[int, ...]

_KEPT = 16
_TRUST = {Trust.USER: 1.0, Trust.ENVIRONMENT: 0.9, Trust.AGENT: 0.8, Trust.TOOL_OUTPUT: 0.4}


class Finder:
    """Searches entries. The indexes live in memory; what they find is read from the database anew."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[Key, tuple[Stamp, Collection]] = OrderedDict()

    def find(
        self, connection: Connection, query: str, conditions: Sequence[ColumnElement[bool]], *, key: Key, limit: int
    ) -> list[Selected]:
        """Return the entries that meet the conditions and answer best; `key` tells these conditions from others."""
        vectors.check(connection, self._embedder)
        hits = retrieve(query, self._collection(connection, conditions, key), limit=limit).hits if limit > 0 else ()
        wanted = ENTRY.c.id.in_([hit.document.id for hit in hits])
        found = {entry.id: entry for entry in rows.where(connection, wanted, *conditions)}
        return [
            Selected(entry=found[hit.document.id], score=hit.score, reasons=hit.reasons)
            for hit in hits
            if hit.document.id in found and hit.score > 0
        ]

    def _collection(self, connection: Connection, conditions: Sequence[ColumnElement[bool]], key: Key) -> Collection:
        stamp = _stamp(connection, conditions)
        kept = self._kept.get(key)
        if kept is None or kept[0] != stamp:
            found = rows.where(connection, *conditions)
            stored = vectors.read(connection, found, self._embedder)
            kept = stamp, Collection([document_of(entry) for entry in found], embedder=self._embedder, vectors=stored)
            self._kept[key] = kept
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return kept[1]


def document_of(entry: Entry) -> Document:
    """Return an entry as a document. Its scope and validity are left to the conditions by which it was read."""
    return Document(
        id=entry.id,
        text=vectors.text_of(entry),
        entities=entry.signature,
        trust=_TRUST[entry.trust],
        value=entry.importance,
        related=entry.supersedes,
    )


def _stamp(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> Stamp:
    """Return numbers that change when an entry comes to be in force or no longer is."""
    position = ENTRY.c.position
    counted = select(func.count(), func.max(position), func.sum(position), func.sum(position * position))
    return tuple(int(number or 0) for number in connection.execute(counted.where(*conditions)).one())
