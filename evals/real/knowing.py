"""What an agent knows before a step of a run: everything that the user said and that calls answered until then."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evals.real.runs import Action, Run
from nucleate_sandbox import Json, JsonObject

ALWAYS_KNOWN = 100
"""Numbers below this are counts and sizes that anybody may choose."""


def leaves(value: Json) -> Iterator[str | int | float]:
    """Yield the texts and numbers in a value; what is true, false or nothing is no value to be known."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield value


def blob(value: Json | str) -> str:
    """Return a value's leaves and keys as one text in lower case, in which values are looked for."""
    if isinstance(value, str):
        return value.lower()
    return json.dumps(value, ensure_ascii=False, default=str).lower().replace("\\n", "\n")


def holds(text: str, value: str | float) -> bool:
    """Return whether a text names a value as a whole token."""
    wanted = _plain(value)
    if wanted not in text:
        return False
    return _token(wanted).search(text) is not None


@lru_cache(maxsize=4096)
def _token(wanted: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(wanted)}(?![\w-]|\.\d)")


def _plain(value: str | float) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False).strip('"').replace("\\n", "\n").lower()


@dataclass(frozen=True)
class Story:
    """A cleaned run as events in time: position i is the moment before call i."""

    run: Run

    @property
    def actions(self) -> Sequence[Action]:
        return self.run.actions

    @cached_property
    def answers(self) -> list[str]:
        """Return the answers, to be searched."""
        return [blob(action.result) for action in self.actions]

    @cached_property
    def turns(self) -> list[str]:
        """Return what the user said, to be searched."""
        return [text.lower() for text in self.run.turns]

    def said(self, position: int) -> list[str]:
        """Return what the user had said before a call."""
        count = self.actions[position].turn if position < len(self.actions) else len(self.turns)
        return self.turns[: max(1, count)]

    def heard_at(self, turn: int) -> int:
        """Return the first position at which a user's message (from 0) was known."""
        return next((i for i, action in enumerate(self.actions) if action.turn > turn), len(self.actions))

    def origin(self, value: str | float) -> tuple[int, int | None] | None:
        """Return (position from which a value is known, the call that answered it or None for the user's words).

        None where neither the user nor an answer ever holds it: the agent's own choice.
        """
        spoken = next((i for i, text in enumerate(self.turns) if holds(text, value)), None)
        answered = next((i for i, text in enumerate(self.answers) if holds(text, value)), None)
        first = len(self.actions) + 1 if spoken is None else self.heard_at(spoken)
        if answered is not None and answered + 1 <= first - (spoken is not None):
            return answered + 1, answered
        return None if spoken is None else (first, None)

    @cached_property
    def slices(self) -> list[Slice]:
        """Return for each call what it hangs on."""
        found: list[Slice] = []
        for at, action in enumerate(self.actions):
            reads: set[int] = set()
            known = 0
            for value in leaves(action.arguments):
                source = self.origin(value)
                if source is None:
                    known = max(known, 0 if _free(value) else at)
                elif source[1] is None or source[1] >= at:
                    known = max(known, min(source[0], at))
                else:
                    reads |= {source[1], *found[source[1]].reads}
                    known = max(known, found[source[1]].known)
            found.append(Slice(at=at, reads=frozenset(reads), known=known))
        return found

    def plan(self, at: int) -> tuple[str, ...]:
        """Return the functions that a call hangs on, and its own: what recurs over tasks."""
        names = sorted({self.actions[i].function for i in self.slices[at].reads})
        return (*names, self.actions[at].function)


def _free(value: str | float) -> bool:
    return isinstance(value, int | float) and abs(value) < ALWAYS_KNOWN


@dataclass(frozen=True, kw_only=True)
class Slice:
    """The earlier calls whose answers a call needs, and the position at which its root values are known."""

    at: int
    reads: frozenset[int]
    known: int

    @property
    def still(self) -> int:
        """Return how many of the calls that it needs are still to be made then."""
        return sum(read >= self.known for read in self.reads)


def known_now(arguments: JsonObject, *, story: Story, position: int, seen: Sequence[str], free: frozenset[str]) -> bool:
    """Return whether an agent that has seen these texts could give every value at a position.

    A value of the agent's own choosing is known where the run's own call with it comes next, and always where the
    schema lists it (`free`) or it is a small number.
    """
    for value in leaves(arguments):
        if _free(value) or _plain(value) in free or any(holds(text, value) for text in seen):
            continue
        if story.origin(value) is not None or not _uses(story.actions[position], value):
            return False
    return True


def _uses(action: Action, value: str | float) -> bool:
    return any(_plain(leaf) == _plain(value) for leaf in leaves(action.arguments))
