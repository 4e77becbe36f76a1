"""Near-duplicates by text: pairs of tools whose names, parameters and docstrings use nearly the same words.

All pairs with Jaccard similarity ≥ t are found without comparing all pairs (prefix filtering, Bayardo et al. 2007,
"Scaling up all pairs similarity search"): words are ordered from rare to common, and two sets that are that similar
share one of the first n − ⌈t·n⌉ + 1 words of each, and enough words from there on (the positional filter of Xiao et al.
2008, "Efficient similarity joins for near duplicate detection").
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nucleate_tool_library.life_cycle import LOADABLE
from nucleate_tool_library.reading.names import within
from nucleate_tool_library.reading.statements import StatementRunner

NEAR = 0.7
_SIGNATURES = """SELECT tool.scope, tool.name, tool_version.signature
    FROM tool JOIN tool_version ON tool_version.id = tool.version_id
    WHERE tool.state IN :states AND (:everywhere OR tool.scope = :scope)"""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two tools of one scope that may be one; whether they do the same is for a comparison of what they do to say."""

    first: str
    second: str
    scope: str
    similarity: float


def pairs(run: StatementRunner, scope: str | None, *, at_least: float) -> tuple[Pair, ...]:
    """Return the pairs of loadable tools, the nearest first."""
    found = run(_SIGNATURES, states=[state.value for state in LOADABLE], **within(scope))
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
    holders: dict[str, list[tuple[str, int]]] = {}
    found: list[tuple[str, str, float]] = []
    for key in sorted(sets):
        prefix = _prefix(sets[key], counts, at_least)
        scored = (
            (other, key, _jaccard(sets[other], sets[key]))
            for other in _candidates(sets, key, prefix, holders, at_least)
        )
        found += [item for item in scored if item[2] >= at_least]
        for place, word in enumerate(prefix):
            holders.setdefault(word, []).append((key, place))
    return found


def _candidates(
    sets: Mapping[str, frozenset[str]],
    key: str,
    prefix: Sequence[str],
    holders: Mapping[str, Sequence[tuple[str, int]]],
    at_least: float,
) -> list[str]:
    """Return whose first word in common stands early enough in both for the rest to suffice."""
    size, seen, found = len(sets[key]), set[str](), list[str]()
    for place, word in enumerate(prefix):
        for other, its_place in holders.get(word, ()):
            if other not in seen:
                seen.add(other)
                its_size = len(sets[other])
                if min(size - place, its_size - its_place) >= _shared(size + its_size, at_least):
                    found.append(other)
    return found


def _shared(sizes: int, at_least: float) -> int:
    """Return how many words two sets of these sizes together must share: |a ∩ b| ≥ t/(1 + t)·(|a| + |b|)."""
    return _ceiling(at_least / (1 + at_least) * sizes)


def _prefix(words: frozenset[str], counts: Counter[str], at_least: float) -> list[str]:
    kept = len(words) - _ceiling(at_least * len(words)) + 1
    return sorted(words, key=lambda word: (counts[word], word))[:kept]


def _ceiling(value: float) -> int:
    # Rounded first: 0.7 · 10 is 7.000000000000001 in floating point.
    return math.ceil(round(value, 9))


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second)


def _words(signature: dict[str, dict[str, object]]) -> frozenset[str]:
    properties = signature["parameters"].get("properties")
    names = " ".join(properties) if isinstance(properties, dict) else ""
    text = f"{signature['name']} {names} {signature['doc']}".replace("_", " ").lower()
    return frozenset(_WORD.findall(text))
