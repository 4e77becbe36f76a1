"""What earlier tasks of a scope asked for, and what was then changed: tasks that read alike want alike, mostly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nucleate.manager.asking_words import asked_for
from nucleate.manager.moments import Moment, in_state
from nucleate_text_memory import TextMemory
from nucleate_text_memory.notes import FunctionNotes, needs
from nucleate_text_memory.recordings.past_tasks import PastTask
from nucleate_text_memory.retrieval.lexical import LexicalIndex
from nucleate_text_memory.retrieval.words import counted, words

MOST = 600  # runs that are looked at, the newest
_NEAREST = 8  # groups
_GROUPS = 2  # that agree
_ALIKE = 0.9  # of the likeness that the nearest tasks have among each other, or to this one
_FRAME = 40  # characters that a prefix or suffix of most tasks has at least
_LONGEST = 2_000  # characters of what the user said, the last ones
Numbers = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
FEATURES = ("verb", "own", "thing", "others", "served", "state")


class Precedents:
    """The runs of one scope. `writes` are the functions that change something; what tools called counts as theirs."""

    def __init__(self, requests: Sequence[PastTask], notes: Mapping[str, FunctionNotes], embed: Embed) -> None:
        # Both ways of looking at one moment ask for the vector of the same text.
        self._vector = lru_cache(maxsize=8)(lambda text: embed([text])[0])
        self._frame = frame([request.said[0] for request in _one_of_each(requests)])
        self._groups = [request.group for request in requests]
        self._called = [request.called for request in requests]
        texts = [self._text(request.said) for request in requests]
        self._rows = embed(texts)
        found = [words(text) for text in texts]
        self._words = [frozenset(one) for one in found]
        self._lexical = LexicalIndex(found)
        self._needs = {name: needs(name, notes) for name in notes}

    @property
    def none(self) -> bool:
        """Return whether no run of the scope is known."""
        return not self._groups

    def said(self, said: Sequence[str]) -> tuple[str, ...]:
        """Return what a user said without what stands around every task of the scope."""
        return (self._frame.inside(said[0]), *said[1:]) if said else ()

    def _text(self, said: Sequence[str]) -> str:
        return "\n".join(self.said(said))[-_LONGEST:]

    def served(self, said: Sequence[str]) -> Callable[[str], float]:
        """Return a function from a name to the share of tasks that called it, of those that read like this one."""
        if not self._groups:
            return lambda _name: 0.0
        text = self._text(said)
        by_words = self._lexical.score(counted(words(text)), np.arange(len(self._groups)))
        by_meaning = np.maximum(0.0, (self._rows @ self._vector(text)).astype(np.float64))
        near = [self._nearest(by_meaning), self._nearest(by_words)]
        return lambda name: 1 - float(np.prod([1 - self._share(name, found) for found in near]))

    def together(self, name: str, other: str) -> float:
        """Return the share of the runs that called a function in which another was called, too; 1 where none did."""
        runs = [called for called in self._called if name in called]
        return sum(other in called for called in runs) / len(runs) if runs else 1.0

    def agreed(self, said: Sequence[str], names: Iterable[str]) -> frozenset[str]:
        """Return the functions that every task called which reads like this one, where at least two groups do.

        They read like it where they are about as near to it as the one farthest from the others is to these, or where
        it has all the words that these share, and hardly others.
        """
        if not self._groups:
            return frozenset()
        text = self._text(said)
        wanted = self._vector(text)
        near = self._alike(np.maximum(0.0, (self._rows @ wanted).astype(np.float64)))
        first = [runs[0] for runs in near]
        if len(first) < _GROUPS or not (self._near(wanted, first) or self._worded(text, first)):
            return frozenset()
        found = [at for runs in near for at in runs]
        kept = {name for name in names if all(name in self._called[at] for at in found)}
        return frozenset(name for name in kept if not asked_for(name, self.said(said)).refused)

    def _near(self, wanted: NDArray[np.float32], runs: Sequence[int]) -> bool:
        rows = self._rows[runs]
        return float(np.mean(rows @ wanted)) >= _ALIKE * _likeness(rows)

    def _worded(self, text: str, runs: Sequence[int]) -> bool:
        own = set(words(text))
        shared = frozenset.intersection(*(self._words[at] for at in runs))
        return shared <= own and 2 * len(shared) > len(own)

    def _alike(self, scores: Numbers) -> list[list[int]]:
        """Return the runs of the nearest groups, by group: of two, and of those about as near as the second."""
        found: dict[str, list[int]] = {}
        least = 0.0
        for at in np.argsort(-scores, kind="stable"):
            if scores[at] <= least:
                break
            found.setdefault(self._groups[at], []).append(int(at))
            if len(found) == _GROUPS and not least:
                least = _ALIKE * float(scores[at])
        return list(found.values())

    def _nearest(self, scores: Numbers) -> list[tuple[float, list[int]]]:
        """Return (weight, runs) of the nearest groups; a weight falls off fast with the distance."""
        found: dict[str, list[int]] = {}
        for at in np.argsort(-scores, kind="stable"):
            if scores[at] <= 0 or (len(found) == _NEAREST and self._groups[at] not in found):
                break
            found.setdefault(self._groups[at], []).append(int(at))
        top = float(scores.max()) or 1.0
        return [((float(scores[runs[0]]) / top) ** 4, runs) for runs in found.values()]

    def _share(self, name: str, near: Sequence[tuple[float, list[int]]]) -> float:
        whole = sum(weight for weight, _ in near)
        did = sum(weight * np.mean([name in self._called[at] for at in runs]) for weight, runs in near)
        return float(did / whole) if whole else 0.0

    def features(self, moment: Moment, writes: Iterable[str]) -> dict[str, tuple[float, ...]]:
        """Return for each writing function what tells whether it is wanted at a moment: FEATURES, in [-1, 3]."""
        said = self.said(moment.said)
        asked = {name: asked_for(name, said) for name in writes}
        served = self.served(moment.said)
        return {
            name: (
                float(one.verb),
                float(one.own),
                one.thing,
                float(min(3, sum(other.weight > one.weight for other in asked.values()))),
                served(name),
                float(in_state(self._needs.get(name, ()), moment)),
            )
            for name, one in asked.items()
        }


def _likeness(rows: NDArray[np.float32]) -> float:
    """Return the mean cosine to the others of the row that is least like them."""
    others = (rows @ rows.T).sum(axis=1) - 1
    return float(others.min()) / (len(rows) - 1)


class Frame:
    """What stands before and after every task of a scope: instructions of a harness, a signature."""

    def __init__(self, before: str = "", after: str = "") -> None:
        self._before, self._after = before, after

    def inside(self, text: str) -> str:
        """Return a text without it; as it is where nothing would be left."""
        inner = text.removeprefix(self._before).removesuffix(self._after).strip()
        return inner or text


def frame(texts: Sequence[str]) -> Frame:
    """Return the beginning and the end that at least half of some texts share, three at least."""
    before = _shared(texts)
    after = _shared([text[::-1] for text in texts])[::-1]
    return Frame(before, after)


def _shared(texts: Sequence[str]) -> str:
    """Return the longest beginning of half of the texts, cut where a word ends."""
    ordered = sorted(texts)
    half = max(3, -(-len(ordered) // 2))
    spans = (_common(one, ordered[at + half - 1]) for at, one in enumerate(ordered[: len(ordered) - half + 1]))
    best = max(spans, key=len, default="")
    cut = best[: max(best.rfind(mark) for mark in (" ", "\n")) + 1]
    return cut if len(cut) >= _FRAME else ""


def _common(one: str, other: str) -> str:
    """Return the beginning that two texts share."""
    length = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


def _one_of_each(requests: Sequence[PastTask]) -> list[PastTask]:
    return list({request.group: request for request in requests}.values())


class KeptPrecedents:
    """The precedents of every scope, read again when runs came."""

    def __init__(self, memory: TextMemory, embed: Embed) -> None:
        self._memory = memory
        self._embed = embed
        self._kept: dict[str, tuple[int, Precedents]] = {}
        self._lock = threading.Lock()

    def of(self, scope: str, tools: Mapping[str, frozenset[str]]) -> Precedents:
        """Return those of a scope; `tools` leads from the names of tools to what they call."""
        newest = next((run.number for run in self._memory.past_tasks(scope, limit=1)), 0)
        with self._lock:
            kept = self._kept.get(scope)
            if kept is None or kept[0] != newest:
                runs = [_as_called(run, tools) for run in self._memory.past_tasks(scope, limit=MOST)]
                kept = newest, Precedents(runs, self._memory.notes(scope), self._embed)
                self._kept[scope] = kept
        return kept[1]


def _as_called(run: PastTask, tools: Mapping[str, frozenset[str]]) -> PastTask:
    called = frozenset(name for one in run.called for name in tools.get(one, {one}))
    return PastTask(number=run.number, group=run.group, said=run.said, called=called)
