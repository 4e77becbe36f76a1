"""Finds entries again: one collection per scope and kinds, kept until what is in force there changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

from nucleate_text_memory.embedding.embedders import Embedder
from nucleate_text_memory.reading import entry_rows as entries
from nucleate_text_memory.reading import stored_vectors as vectors
from nucleate_text_memory.reading.statements import EntryCondition, QueryRunner, where
from nucleate_text_memory.retrieval import Collection, Document, retrieve
from nucleate_text_memory.values import Entry, Selected, Trust

Key: TypeAlias = tuple[str, tuple[str, ...]]
Stamp: TypeAlias = tuple[int, ...]

_KEPT = 16
_STAMP = "SELECT count(*), max(position), sum(position), sum(position * position) FROM entry WHERE {conditions}"
_TRUST = {Trust.USER: 1.0, Trust.ENVIRONMENT: 0.9, Trust.AGENT: 0.8, Trust.TOOL_OUTPUT: 0.4}


class Finder:
    """Searches entries. The indexes live in memory; what they find is read from the database anew."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[Key, tuple[Stamp, Collection]] = OrderedDict()

    def find(
        self, run: QueryRunner, query: str, conditions: Sequence[EntryCondition], *, key: Key, limit: int
    ) -> list[Selected]:
        """Return the entries that meet the conditions and answer best; `key` tells these conditions from others."""
        vectors.check(run, self._embedder)
        hits = retrieve(query, self._collection(run, conditions, key), limit=limit).hits if limit > 0 else ()
        wanted = entries.among("id", [hit.document.id for hit in hits])
        found = {entry.id: entry for entry in entries.where(run, wanted, *conditions)}
        return [
            Selected(entry=found[hit.document.id], score=hit.score, reasons=hit.reasons)
            for hit in hits
            if hit.document.id in found and hit.score > 0
        ]

    def _collection(self, run: QueryRunner, conditions: Sequence[EntryCondition], key: Key) -> Collection:
        stamp = _stamp(run, conditions)
        kept = self._kept.get(key)
        if kept is None or kept[0] != stamp:
            found = entries.where(run, *conditions)
            stored = vectors.read(run, found, self._embedder)
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


def _stamp(run: QueryRunner, conditions: Sequence[EntryCondition]) -> Stamp:
    """Return numbers that change when an entry comes to be in force or no longer is."""
    return tuple(int(number or 0) for number in where(run, _STAMP, conditions)[0])
