"""Documents with their indexes: by words, by meaning, by entity, and who stands next to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.embedding.embedders import Embedder
from nucleate_text_memory.errors import EmbedderUnavailable, MemoryFault
from nucleate_text_memory.retrieval.dense import DenseIndex, Rows, cosines, dense_index
from nucleate_text_memory.retrieval.documents import Document
from nucleate_text_memory.retrieval.entities import EntityIndex, entities
from nucleate_text_memory.retrieval.lexical import LexicalIndex, Positions, Scores
from nucleate_text_memory.retrieval.words import context_words, estimate_tokens, words

NO_EMBEDDER = "no embeddings: {reason}; the lexical and entity indexes alone serve"


class Collection:
    """Documents of one scope, searched together. Within a group they stand in the order in which they are given.

    Without an embedder, or with one whose files are missing, there is no search by meaning and `notes` says so.
    `vectors` are the rows that the embedder gave for each `document.said` before.
    """

    def __init__(
        self, documents: Sequence[Document], *, embedder: Embedder | None = None, vectors: Rows | None = None
    ) -> None:
        self.documents = tuple(documents)
        self.positions = {document.id: position for position, document in enumerate(self.documents)}
        if len(self.positions) != len(self.documents):
            raise MemoryFault(f"two documents share the id {_doubled(self.documents)!r}; give each its own id")
        self.scope = _one_scope(self.documents)
        self.lexical = LexicalIndex(words(document.text) for document in self.documents)
        self.context = LexicalIndex(context_words(document) for document in self.documents)
        self.entities = EntityIndex([*d.entities, *entities(d.text)] for d in self.documents)
        self.authors = sorted({document.author for document in self.documents} - {""})
        self.embedder = embedder
        self.notes: tuple[str, ...] = ()
        self.vectors = self._embedded(vectors)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def dense(self) -> DenseIndex | None:
        """Return the index by meaning, if there are vectors."""
        return None if self.vectors is None else dense_index(self.vectors)

    @cached_property
    def group_numbers(self) -> NDArray[np.int32]:
        """Return the number of each document's group; -1 for none."""
        numbers: dict[str, int] = {}
        found = [numbers.setdefault(d.group, len(numbers)) if d.group else -1 for d in self.documents]
        return np.array(found, dtype=np.int32)

    @cached_property
    def groups(self) -> LexicalIndex:
        """Return the lexical index of whole groups."""
        return LexicalIndex.grouped(self.lexical, self.group_numbers)

    def neighbours(self, positions: Positions, offset: int) -> Positions:
        """Return who stands `offset` places after (before, if negative) each document in its group; -1 for nobody."""
        step = self._adjacent[0 if offset < 0 else 1]
        for _ in range(abs(offset)):
            positions = np.where(positions >= 0, step[positions], -1)
        return positions

    def cosines(self, vector: NDArray[np.float32], positions: Positions) -> Scores:
        """Return the cosine of each document with a vector; 0 for position -1 and without vectors."""
        if self.vectors is None:
            return np.zeros(len(positions))
        return np.where(positions >= 0, cosines(self.vectors[positions], vector), 0.0)

    def embed(self, text: str) -> NDArray[np.float32] | None:
        """Return the vector of a query; None without vectors."""
        if self.vectors is None or self.embedder is None:
            return None
        row: NDArray[np.float32] = self.embedder.embed([text])[0]
        return row

    @property
    def nbytes(self) -> int:
        """Return the size of the indexes in bytes, without the documents and their vectors."""
        dense = self.dense.nbytes if self.dense else 0
        return self.lexical.nbytes + self.context.nbytes + self.groups.nbytes + self.entities.nbytes + dense

    def tokens(self, position: int) -> int:
        """Return about how many tokens a document takes in an evidence view."""
        return estimate_tokens(self.documents[position].shown)

    def related(self, position: int) -> list[int]:
        """Return whom a document names as related, and who names it, in order."""
        return self._related.get(position, [])

    @cached_property
    def _related(self) -> dict[int, list[int]]:
        found: dict[int, set[int]] = defaultdict(set)
        for position, document in enumerate(self.documents):
            for other in (self.positions[name] for name in document.related if name in self.positions):
                found[position].add(other)
                found[other].add(position)
        return {position: sorted(others - {position}) for position, others in found.items()}

    @cached_property
    def _adjacent(self) -> tuple[Positions, Positions]:
        before = np.full(len(self), -1, dtype=np.int64)
        after = before.copy()
        last: dict[str, int] = {}
        for position, document in enumerate(self.documents):
            if document.group in last:
                before[position] = last[document.group]
                after[last[document.group]] = position
            if document.group:
                last[document.group] = position
        return before, after

    def _embedded(self, vectors: Rows | None) -> Rows | None:
        if self.embedder is None:
            self.notes = (NO_EMBEDDER.format(reason="no embedder was given"),)
            return None
        if vectors is not None:
            return self._checked(vectors)
        try:
            return self.embedder.embed([document.said for document in self.documents])
        except EmbedderUnavailable as error:
            self.notes = (NO_EMBEDDER.format(reason=error),)
            return None

    def _checked(self, vectors: Rows) -> Rows:
        expected = (len(self.documents), self.embedder.dimension if self.embedder else 0)
        if vectors.shape != expected:
            raise MemoryFault(f"vectors of shape {vectors.shape!r}, expected {expected!r}; embed the documents again")
        return vectors


def _one_scope(documents: Sequence[Document]) -> str:
    scopes = sorted({document.scope for document in documents})
    if len(scopes) > 1:
        raise MemoryFault(f"documents of the scopes {scopes!r} in one collection; make one collection per scope")
    return scopes[0] if scopes else ""


def _doubled(documents: Sequence[Document]) -> str:
    seen: set[str] = set()
    return next(d.id for d in documents if d.id in seen or seen.add(d.id))  # type: ignore[func-returns-value]
