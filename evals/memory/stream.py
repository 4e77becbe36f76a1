"""A stream of statements with known truth: updates, contradictions, re-statements, disjoint periods, several scopes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from nucleate_text_memory import Draft, FactContent, drafted

SCOPES = ("shop", "shop?user=ada", "shop?user=bo", "desk", "desk?organisation=acme")
FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)
FIRST_RECORD = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = 1500
_SUBJECTS, _PREDICATES = 40, ("opens at", "is priced at", "is stored in")
_KINDS = {"update": 0.35, "contradiction": 0.15, "restatement": 0.25, "period": 0.25}

Key: TypeAlias = tuple[str, str, str]  # scope, subject, predicate


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What was said: a value that holds in [start, stop), told at a moment."""

    key: Key
    value: str
    start: datetime
    stop: datetime | None
    told: datetime
    kind: str

    def draft(self) -> Draft:
        """Return the statement as the memory takes it."""
        scope, subject, predicate = self.key
        content = FactContent(subject=subject, predicate=predicate, value=self.value)
        draft = drafted(content, scope=scope, source="user")
        return replace(draft, valid_from=self.start, valid_to=self.stop)

    def holds(self, moment: datetime) -> bool:
        """Return whether the statement is about this moment."""
        return self.start <= moment and (self.stop is None or moment < self.stop)


def statements(count: int, seed: int) -> Iterator[Statement]:
    """Yield statements in the order in which they are told, one a minute."""
    chance = random.Random(seed)
    last: dict[Key, Statement] = {}
    for number in range(count):
        key = (chance.choice(SCOPES), f"item-{chance.randrange(_SUBJECTS)}", chance.choice(_PREDICATES))
        told = FIRST_RECORD + timedelta(minutes=number)
        kind = chance.choices(list(_KINDS), list(_KINDS.values()))[0]
        said = _said(kind, key, last.get(key), told, chance, number)
        if said.stop is None:
            last[key] = said
        yield said


def truth(told: Sequence[Statement], *, valid: datetime, known: datetime) -> Mapping[Key, str]:
    """Return the value of each key: that of the last statement about the moment, of those that were told by then."""
    found: dict[Key, str] = {}
    for statement in told:
        if statement.told <= known and statement.holds(valid):
            found[statement.key] = statement.value
    return found


def distinct(told: Sequence[Statement]) -> int:
    """Return how many different (key, value, start, stop) were told: what a memory at least has to keep."""
    return len({(one.key, one.value, one.start, one.stop) for one in told})


def _said(kind: str, key: Key, last: Statement | None, told: datetime, chance: random.Random, number: int) -> Statement:
    start = FIRST_DAY + timedelta(days=chance.randrange(DAYS))
    fresh = Statement(key=key, value=f"value {number}", start=start, stop=None, told=told, kind=kind)
    if kind == "period":
        return replace(fresh, stop=start + timedelta(days=chance.randint(5, 90)))
    if last is None:
        return replace(fresh, kind="first")
    if kind == "restatement":
        return replace(fresh, value=last.value, start=last.start)
    return replace(
        fresh, start=last.start if kind == "contradiction" else last.start + timedelta(days=chance.randint(1, 60))
    )
