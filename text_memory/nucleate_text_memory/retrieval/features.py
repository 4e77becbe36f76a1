"""What tells a document that answers from one that does not, as numbers by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.retrieval.asked import Asked
from nucleate_text_memory.retrieval.collection import Collection
from nucleate_text_memory.retrieval.documents import Document
from nucleate_text_memory.retrieval.lexical import Positions, Scores, idf, saturated
from nucleate_text_memory.retrieval.words import counted, words

_FEEDBACK_DOCUMENTS, _FEEDBACK_WORDS = 8, 15
_DAYS_NEAR = 3
_LONG = 40
_TIME_WORDS = re.compile(
    r"\b(yesterday|last|ago|next|tomorrow|today|week|weekend|month|year|\w+day|recently|just|since|soon)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class FeatureCase:
    """One query, a collection, and the candidates to describe."""

    asked: Asked
    collection: Collection
    positions: Positions

    def near(self, score: Callable[[Positions], Scores], offset: int) -> Scores:
        """Return a score of each candidate's neighbour in its group; 0 where there is none."""
        positions = self.collection.neighbours(self.positions, offset)
        return np.where(positions >= 0, score(positions), 0.0)

    def each(self, value: Callable[[Document], float]) -> Scores:
        """Return a number read from each candidate."""
        documents = self.collection.documents
        return np.array([value(documents[position]) for position in self.positions], dtype=np.float64)


def features(case: FeatureCase) -> dict[str, Scores]:
    """Return every feature by name, one number per candidate, most of them in [0, 1]."""
    found = _lexical(case) | _dense(case)
    found["feedback"] = _feedback(case, found)
    found["after_question"] = _asks_before(case) * found["words_before"]
    return found | _described(case)


def _lexical(case: FeatureCase) -> dict[str, Scores]:
    asked, index = case.asked, case.collection.lexical
    wanted = counted(list(asked.content))
    own = index.score(wanted, case.positions)
    top = float(own.max(initial=0.0)) or 1.0

    def score(positions: Positions) -> Scores:
        return index.score(wanted, positions) / top

    total = sum(index.idf(word) for word in wanted) or 1.0
    covered = sum((index.idf(word) * (index.counts(word, case.positions) > 0) for word in wanted), np.zeros(len(own)))
    return {
        "words": own / top,
        "words_before": case.near(score, -1),
        "words_after": case.near(score, 1),
        "words_before_2": case.near(score, -2),
        "words_after_2": case.near(score, 2),
        "words_in_context": _in_context(case),
        "words_in_window": _in_window(case, wanted),
        "words_in_group": _in_group(case, wanted),
        "coverage": np.asarray(covered / total, dtype=np.float64),
    }


def _in_context(case: FeatureCase) -> Scores:
    """BM25 over the text together with its author and date."""
    text, context = case.collection.lexical, case.collection.context
    lengths = text.lengths[case.positions] + context.lengths[case.positions]
    found = np.zeros(len(case.positions))
    for word in dict.fromkeys(case.asked.words):
        often = text.counts(word, case.positions) + context.counts(word, case.positions)
        weight = idf(max(text.frequency(word), context.frequency(word)), len(text))
        found += weight * saturated(often, lengths, text.average + context.average)
    return _scaled(found)


def _in_window(case: FeatureCase, wanted: Mapping[str, float]) -> Scores:
    """BM25 over the text together with the one before and the one after."""
    index = case.collection.lexical
    around = [case.collection.neighbours(case.positions, offset) for offset in (-1, 0, 1)]
    lengths = sum((np.where(p >= 0, index.lengths[p], 0) for p in around), np.zeros(len(case.positions)))
    found = np.zeros(len(case.positions))
    for word in wanted:
        often = sum((index.counts(word, positions) for positions in around), np.zeros(len(found)))
        found += index.idf(word) * saturated(often, lengths, 3 * index.average)
    return _scaled(found)


def _in_group(case: FeatureCase, wanted: Mapping[str, float]) -> Scores:
    groups = case.collection.group_numbers[case.positions].astype(np.int64)
    if not len(case.collection.groups):
        return np.zeros(len(groups))
    unique, inverse = np.unique(groups, return_inverse=True)
    return _scaled(np.where(unique >= 0, case.collection.groups.score(wanted, unique), 0.0)[inverse])


def _dense(case: FeatureCase) -> dict[str, Scores]:
    asked, collection = case.asked, case.collection
    zero = np.zeros(len(case.positions))
    if asked.vector is None:
        return dict.fromkeys(("cosine", "cosine_share", "cosine_before", "cosine_after", "cosine_with_before"), zero)
    vector = asked.vector

    def score(positions: Positions) -> Scores:
        return collection.cosines(vector, positions)

    own = score(case.positions)
    before = case.near(score, -1)
    return {
        "cosine": own,
        "cosine_share": _scaled(np.maximum(own, 0)),
        "cosine_before": before,
        "cosine_after": case.near(score, 1),
        "cosine_with_before": (own + before) / _length_with_before(case),
    }


def _length_with_before(case: FeatureCase) -> Scores:
    """Return |v + v′| of each candidate's vector and that of the one before it (1 where there is none)."""
    vectors = case.collection.vectors
    before = case.collection.neighbours(case.positions, -1)
    if vectors is None:
        return np.ones(len(before))
    inner = (vectors[case.positions].astype(np.float32) * vectors[before]).sum(axis=1)
    return np.where(before >= 0, np.sqrt(np.maximum(2 + 2 * inner, 0.1)), 1.0)


def _feedback(case: FeatureCase, found: Mapping[str, Scores]) -> Scores:
    """BM25 with the words that the best candidates share and the query lacks (pseudo-relevance feedback)."""
    first = found["words"] + 0.3 * (found["words_before"] + found["words_after"]) + found["cosine_share"]
    best = case.positions[np.argsort(-first, kind="stable")[:_FEEDBACK_DOCUMENTS]]
    index, weights = case.collection.lexical, defaultdict[str, float](float)
    for rank, position in enumerate(best):
        for word in dict.fromkeys(words(case.collection.documents[position].text)):
            if word not in case.asked.words:
                weights[word] += 1 / (1 + rank)
    chosen = sorted(weights, key=lambda word: (-weights[word] * index.idf(word), word))[:_FEEDBACK_WORDS]
    return _scaled(index.score({word: weights[word] for word in chosen}, case.positions))


def _asks(document: Document) -> float:
    return float(document.text.rstrip().endswith(("?", "？")))


def _asks_before(case: FeatureCase) -> Scores:
    documents = case.collection.documents
    before = case.collection.neighbours(case.positions, -1)
    return np.array([_asks(documents[position]) if position >= 0 else 0.0 for position in before])


def _described(case: FeatureCase) -> dict[str, Scores]:
    asked = case.asked
    one = asked.authors[0] if len(asked.authors) == 1 else ""
    zero = np.zeros(len(case.positions))
    lengths = case.collection.lexical.lengths[case.positions].astype(np.float64)
    return {
        "author_named": case.each(lambda d: float(d.author == one)) if one else zero,
        "author_other": case.each(lambda d: float(d.author not in ("", one))) if one else zero,
        "in_month": case.each(lambda d: float(_in_month(asked, d))) if asked.months else zero,
        "near_day": case.each(lambda d: float(_near_day(asked, d))) if asked.months else zero,
        "tells_time": case.each(lambda d: float(bool(_TIME_WORDS.search(d.text)))) if asked.when else zero,
        "question": case.each(_asks),
        "length": np.minimum(lengths, _LONG) / _LONG,
        "length_log": np.log1p(lengths) / 4,
    }


def _in_month(asked: Asked, document: Document) -> bool:
    time = document.time
    return time is not None and time.month in asked.months and (not asked.years or time.year in asked.years)


def _near_day(asked: Asked, document: Document) -> bool:
    if document.time is None or not _in_month(asked, document):
        return False
    return any(abs(document.time.day - day) <= _DAYS_NEAR for day in asked.days)


def _scaled(scores: Scores) -> Scores:
    top = scores.max(initial=0.0)
    scaled: Scores = scores / top if top > 0 else scores
    return scaled


def matrix(found: Mapping[str, Scores], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the named features as columns."""
    return np.stack([found[name] for name in names], axis=1)
