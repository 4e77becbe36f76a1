"""Search over tools: signatures, docstrings and recorded queries, never bodies (Metis §3.1), by meaning and by words.

Vectors and words are kept by version id, so that a library that changes is indexed again only where it changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory import Embedder, EmbedderUnavailable
from nucleate_text_memory.ranking import fuse
from nucleate_text_memory.retrieval.lexical import LexicalIndex
from nucleate_text_memory.retrieval.words import counted, words
from nucleate_sandbox import Json
from nucleate_tool_library import ToolVersion

_KEPT = 16  # shelves: sets of tools that were searched lately
_ASKED = 3  # queries of a tool
_LONGEST = 300  # characters of a query


@dataclass(frozen=True, kw_only=True)
class Found:
    """A tool version that answers a query, and its score in [0, 1]."""

    version: ToolVersion
    score: float


@dataclass(frozen=True, kw_only=True)
class _Document:
    words: tuple[str, ...]
    vector: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class _Shelf:
    lexical: LexicalIndex
    vectors: NDArray[np.float32]


class ToolIndex:
    """Kept in memory, made of what is asked for. Without the embedding model, words alone decide."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._documents: dict[str, _Document] = {}
        self._shelves: OrderedDict[tuple[str, ...], _Shelf] = OrderedDict()
        self._lock = threading.Lock()

    def search(self, query: str, versions: Sequence[ToolVersion], *, limit: int) -> tuple[Found, ...]:
        """Return the tools that answer best, best first; none that shares neither word nor meaning with the query."""
        if not versions or limit < 1:
            return ()
        shelf = self._shelf(versions)
        scores = fuse(shelf.vectors @ self._embedded([query])[0], self._by_words(query, shelf))
        order = np.argsort(-scores, kind="stable")[:limit]
        return tuple(Found(version=versions[at], score=float(scores[at])) for at in order if scores[at] > 0)

    def _by_words(self, query: str, shelf: _Shelf) -> NDArray[np.float64]:
        return shelf.lexical.score(counted(words(query)), np.arange(len(shelf.vectors)))

    def _shelf(self, versions: Sequence[ToolVersion]) -> _Shelf:
        key = tuple(version.id for version in versions)
        with self._lock:
            shelf = self._shelves.get(key)
            if shelf is None:
                shelf = self._shelves[key] = self._made(versions)
            self._shelves.move_to_end(key)
            while len(self._shelves) > _KEPT:
                self._shelves.popitem(last=False)
        return shelf

    def _made(self, versions: Sequence[ToolVersion]) -> _Shelf:
        new = [version for version in versions if version.id not in self._documents]
        texts = [document_text(version) for version in new]
        for version, text, vector in zip(new, texts, self._embedded(texts), strict=True):
            self._documents[version.id] = _Document(words=tuple(words(text)), vector=vector)
        found = [self._documents[version.id] for version in versions]
        return _Shelf(
            lexical=LexicalIndex(document.words for document in found),
            vectors=np.stack([document.vector for document in found]),
        )

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            return self._embedder.embed(texts)
        except EmbedderUnavailable:
            return np.zeros((len(texts), self._embedder.dimension), dtype=np.float32)


def document_text(version: ToolVersion) -> str:
    """Return what a tool is found by: how it is called, and what was asked where it was made from."""
    return "\n".join([version.signature.text, version.signature.doc, *_asked(version.evidence.get("seen"))])


def _asked(seen: Json) -> list[str]:
    examples = seen[:_ASKED] if isinstance(seen, list) else []
    queries = [item.get("query") for item in examples if isinstance(item, dict)]
    return [query[:_LONGEST] for query in queries if isinstance(query, str)]
