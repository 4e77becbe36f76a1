"""Search over tools by meaning and by words: signature, docstring and the queries they came from, never the body.

What a tool is found by is kept by version id, so that a library that changes is indexed again only where it changed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_

import numpy as np
from numpy.typing import NDArray

from nucleate.manager.fit import FIT, Fit
from nucleate_text_memory import Embedder, EmbedderUnavailable
from nucleate_text_memory.retrieval.lexical import LexicalIndex
from nucleate_text_memory.retrieval.words import counted, words
from nucleate_tool_library import ToolVersion

K1 = 1.2  # of BM25
_KEPT = 16  # shelves
Rows = NDArray[np.float32]
Numbers = NDArray[np.float64]
Embed = Callable[[Sequence[str]], Rows]


@dataclass(frozen=True, kw_only=True)
class FoundTool:
    """A tool version that answers a query, and its score in [0, 1]."""

    version: ToolVersion
    score: float


@dataclass(frozen=True, kw_only=True)
class _Document:
    """A tool as it is found: its words, the vector of its documentation, and of the queries that it came from."""

    words: tuple[str, ...]
    meaning: Rows
    asked: Rows


class ToolShelf:
    """A set of tools, ready to be searched."""

    def __init__(self, embed: Embed, versions: Sequence[ToolVersion], found: Sequence[_Document], fit: Fit) -> None:
        self.versions = tuple(versions)
        self._embed = embed
        self._fit = fit
        self._lexical = LexicalIndex(document.words for document in found)
        self._meaning = np.stack([document.meaning for document in found]) if found else None
        self._asked = np.stack([document.asked for document in found]) if found else None

    @classmethod
    def empty(cls) -> ToolShelf:
        """Return a shelf without tools."""
        return cls(lambda texts: np.zeros((len(texts), 0), dtype=np.float32), (), (), FIT)

    def holds(self, versions: Sequence[ToolVersion]) -> bool:
        """Return whether these very objects are on it, in this order."""
        return len(versions) == len(self.versions) and all(map(is_, self.versions, versions))

    def search(self, query: str, *, limit: int) -> tuple[FoundTool, ...]:
        """Return the tools that answer best, best first, each with the chance that it fits."""
        if not self.versions or limit < 1:
            return ()
        scores = self._fit.scores(*self.features(query))
        order = np.argsort(-scores, kind="stable")[:limit]
        return tuple(FoundTool(version=self.versions[at], score=round(float(scores[at]), 6)) for at in order)

    def features(self, query: str) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return for each tool: cosine with its text, BM25 as a share, cosine with its queries; and if any is known."""
        assert self._meaning is not None and self._asked is not None  # noqa: PT018 - there are tools
        vector = self._embed([query])[0]
        # Cosines are rounded, so that the order does not hang on the last bits of a float.
        by_meaning, by_queries = ((rows @ vector).astype(np.float64).round(6) for rows in (self._meaning, self._asked))
        by_words = _by_words(self._lexical, query)
        known: NDArray[np.bool_] = np.any(self._asked != 0, axis=1)
        return np.stack([by_meaning, by_words, by_queries], axis=1), known


class ToolIndex:
    """Makes shelves, and keeps what their tools are found by. Without the embedding model, words alone decide."""

    def __init__(self, embedder: Embedder, *, fit: Fit = FIT) -> None:
        self._embedder = embedder
        self._fit = fit
        self._documents: dict[str, _Document] = {}
        self._shelves: deque[ToolShelf] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()

    def search(self, query: str, versions: Sequence[ToolVersion], *, limit: int) -> tuple[FoundTool, ...]:
        """Return the best of these tools; a shelf of the very same ones is kept for the next query."""
        kept = next((shelf for shelf in tuple(self._shelves) if shelf.holds(versions)), None)
        if kept is None:
            kept = self.shelf(versions)
            self._shelves.append(kept)
        return kept.search(query, limit=limit)

    def shelf(self, versions: Sequence[ToolVersion]) -> ToolShelf:
        """Return a shelf of these tools; only those that were never on one are read."""
        ids = [version.id for version in versions]
        with self._lock:
            new = {id_: version for id_, version in zip(ids, versions, strict=True) if id_ not in self._documents}
            self._documents |= self._read(new)
            return ToolShelf(self.embedded, versions, [self._documents[id_] for id_ in ids], self._fit)

    def _read(self, versions: Mapping[str, ToolVersion]) -> dict[str, _Document]:
        texts = [document_text(version) for version in versions.values()]
        queries = [queries_of(version) for version in versions.values()]
        rows = iter(self.embedded([query for some in queries for query in some]))
        centres = [_centre([next(rows) for _ in some], self._embedder.dimension) for some in queries]
        return {
            id_: _Document(words=tuple(words(text)), meaning=meaning, asked=asked)
            for id_, text, meaning, asked in zip(versions, texts, self.embedded(texts), centres, strict=True)
        }

    def embedded(self, texts: Sequence[str]) -> Rows:
        """Return the vectors of texts; zeros without the embedding model."""
        try:
            return self._embedder.embed(texts)
        except EmbedderUnavailable:
            return np.zeros((len(texts), self._embedder.dimension), dtype=np.float32)


def document_text(version: ToolVersion) -> str:
    """Return the words by which a tool is found (Metis §3.1)."""
    return f"{version.signature.text}\n{version.signature.doc}"


def queries_of(version: ToolVersion) -> list[str]:
    """Return the queries of the runs that a version was made from and judged by."""
    runs = [run for part in ("seen", "held_out") for run in _list(version.evidence.get(part))]
    return [str(run["query"]) for run in runs if isinstance(run, dict) and run.get("query")]


def _by_words(index: LexicalIndex, query: str) -> Numbers:
    """Return BM25 as a share of what a document could have that holds every word of the query often.

    So a score in a library of three tools means what it means in one of a thousand.
    """
    wanted = counted(words(query))
    most = sum(index.idf(word) for word in wanted) * (K1 + 1)
    return index.score(wanted, np.arange(len(index))) / (most or 1.0)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _centre(rows: Sequence[Rows], dimension: int) -> Rows:
    """Return the direction of the mean of some vectors; zeros of none."""
    mean: Rows = np.mean(rows, axis=0, dtype=np.float32) if rows else np.zeros(dimension, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean
