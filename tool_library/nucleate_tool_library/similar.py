"""Near-duplicates by text: pairs of tools whose names, parameters and docstrings use nearly the same words.

All pairs with Jaccard similarity ≥ t are found without comparing all pairs (prefix filtering, Bayardo et al. 2007,
"Scaling up all pairs similarity search"): words are ordered from rare to common, and two sets that are that similar
share one of the first n − ⌈t·n⌉ + 1 words of each.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.tables import ToolRow, ToolVersionRow

NEAR = 0.7
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two tools of one scope that may be one; whether they do the same is for a comparison of what they do to say."""

    first: str
    second: str
    scope: str
    similarity: float


def pairs(session: Session, scope: str | None, *, at_least: float) -> tuple[Pair, ...]:
    """Return the pairs of loadable tools, the nearest first."""
    query = select(ToolRow.scope, ToolRow.name, ToolVersionRow.signature).join(
        ToolVersionRow, col(ToolVersionRow.id) == col(ToolRow.version_id)
    )
    query = query.where(col(ToolRow.state).in_([state.value for state in LOADABLE]))
    found = session.exec(query if scope is None else query.where(ToolRow.scope == scope)).all()
    by_scope: dict[str, dict[str, frozenset[str]]] = {}
    for where, name, signature in found:
        by_scope.setdefault(where, {})[name] = _words(json.loads(signature))
    near = [
        Pair(first=first, second=second, scope=where, similarity=round(score, 4))
        for where, sets in by_scope.items()
        for first, second, score in near_sets(sets, at_least=at_least)
    ]
    return tuple(sorted(near, key=lambda pair: (-pair.similarity, pair.scope, pair.first, pair.second)))


def near_sets(sets: Mapping[str, frozenset[str]], *, at_least: float) -> list[tuple[str, str, float]]:
    """Return every two keys whose sets have at least this Jaccard similarity, which must be above 0."""
    counts = Counter(word for words in sets.values() for word in words)
    holders: dict[str, list[str]] = {}
    found: list[tuple[str, str, float]] = []
    for key in sorted(sets):
        prefix = _prefix(sets[key], counts, at_least)
        others = {other for word in prefix for other in holders.get(word, ())}
        scored = ((other, key, _jaccard(sets[other], sets[key])) for other in sorted(others))
        found += [item for item in scored if item[2] >= at_least]
        for word in prefix:
            holders.setdefault(word, []).append(key)
    return found


def _prefix(words: frozenset[str], counts: Counter[str], at_least: float) -> list[str]:
    # Rounded before the ceiling: 0.7 · 10 is 7.000000000000001 in floating point.
    kept = len(words) - math.ceil(round(at_least * len(words), 9)) + 1
    return sorted(words, key=lambda word: (counts[word], word))[:kept]


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second)


def _words(signature: dict[str, dict[str, object]]) -> frozenset[str]:
    properties = signature["parameters"].get("properties")
    names = " ".join(properties) if isinstance(properties, dict) else ""
    text = f"{signature['name']} {names} {signature['doc']}".replace("_", " ").lower()
    return frozenset(_WORD.findall(text))
