"""Does the memory answer as it should after thousands of updates, contradictions and re-statements?"""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from rich.progress import track

from evals.memory.place import opened
from evals.memory.stream import DAYS, FIRST_DAY, SCOPES, Key, Statement, distinct, statements, truth
from nucleate_text_memory import Entry, FactContent, TextMemory


@dataclass(frozen=True, kw_only=True)
class Maintenance:
    """How many answers were right, and what else happened to the store."""

    statements: int
    current_asked: int
    current_right: int
    asof_asked: int
    asof_right: int
    collateral: int
    duplicates: int
    active: int
    rows: int
    distinct: int
    write_ms: float


def measure(count: int, *, seed: int = 5, moments: int = 40) -> Maintenance:
    """Tell the statements one by one, then ask for the present and for random (valid, known) pairs."""
    told = list(statements(count, seed))
    clock = {"at": told[0].told}
    with opened(clock=lambda: clock["at"]) as memory:
        times = []
        for statement in track(told, description="maintenance"):
            clock["at"] = statement.told
            began = time.perf_counter()
            memory.add(statement.draft())
            times.append(1000 * (time.perf_counter() - began))
        clock["at"] = told[-1].told + timedelta(minutes=1)
        present = _compare(memory, told, clock["at"], clock["at"])
        past = [_compare(memory, told, *pair) for pair in _moments(told, moments, seed)]
        entries = memory.entries(valid_only=False)
        return Maintenance(
            statements=count, current_asked=present[0], current_right=present[1],
            asof_asked=sum(asked for asked, _ in past), asof_right=sum(right for _, right in past),
            collateral=_collateral(entries), duplicates=_duplicates(entries),
            active=sum(entry.valid for entry in entries), rows=len(entries), distinct=distinct(told),
            write_ms=statistics.median(times),
        )  # fmt: skip


def _compare(memory: TextMemory, told: Sequence[Statement], valid: datetime, known: datetime) -> tuple[int, int]:
    """Return how many keys have or are given an answer, and how many of the answers are the right one alone."""
    expected = {key: {value} for key, value in truth(told, valid=valid, known=known).items()}
    given: defaultdict[Key, set[str]] = defaultdict(set)
    for scope in SCOPES:
        for entry in memory.as_of(scope, valid=valid, known=known):
            if entry.scope == scope:
                given[key_of(entry)].add(_content(entry).value)
    keys = expected.keys() | given.keys()
    return len(keys), sum(expected.get(key) == given.get(key) for key in keys)


def _moments(told: Sequence[Statement], count: int, seed: int) -> list[tuple[datetime, datetime]]:
    chance = random.Random(seed)
    return [(FIRST_DAY + timedelta(days=chance.randrange(DAYS + 200)), chance.choice(told).told) for _ in range(count)]


def _collateral(entries: Sequence[Entry]) -> int:
    """Return how many entries lost their validity to one of another key or scope, or to one of another time."""
    by_id = {entry.id: entry for entry in entries}
    ended = [entry for entry in entries if not entry.valid]
    successors = defaultdict(list)
    for entry in entries:
        for old in entry.supersedes:
            successors[old].append(by_id[entry.id])
    return sum(not any(key_of(new) == key_of(entry) for new in successors[entry.id]) for entry in ended)


def _duplicates(entries: Sequence[Entry]) -> int:
    """Return how many pairs of valid entries say the same of one key for overlapping periods."""
    groups = defaultdict(list)
    for entry in entries:
        if entry.valid:
            groups[key_of(entry), _content(entry).value].append(entry)
    return sum(_overlap(one, other) for group in groups.values() for one, other in combinations(group, 2))


def _overlap(one: Entry, other: Entry) -> bool:
    assert one.valid_from is not None
    assert other.valid_from is not None
    return (other.valid_to is None or one.valid_from < other.valid_to) and (
        one.valid_to is None or other.valid_from < one.valid_to
    )


def key_of(entry: Entry) -> Key:
    """Return what an entry is about."""
    content = _content(entry)
    return entry.scope, content.subject, content.predicate


def _content(entry: Entry) -> FactContent:
    assert isinstance(entry.content, FactContent)
    return entry.content
