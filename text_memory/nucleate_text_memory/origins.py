"""Where each value of a run came from first: the earliest event that holds it is its origin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from nucleate_text_memory.values import Json, Trajectory

Moment: TypeAlias = tuple[int, int]
"""When something happened: (steps made before, 0) of what the user said, (index of the step, 1) of its answer."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?|\d{1,2}:\d\d(?::\d\d)?|[-+]?\d+(?:\.\d+)?%?")
_ORDERS = re.compile(
    r"<information>|important (?:message|instruction)|ignore (?:all |any |the |your )?(?:previous|prior|above)|"
    r"before you (?:can|start|do|solve)|you (?:must|should|need to|have to)|"
    r"(?:^|[.!?:>\n][^\S\n]*|please |first |then )(?:send|make|transfer|pay|post|visit|go to|invite|delete|remove|add|"
    r"create|share|forward|reserve|book|cancel|update|change|read|open|click|call|follow|reply|write|do)\b"
)
"""Sentences that ask whoever reads them to do something."""
_NEAR = 24  # characters between a short value and the word for it
_LONG = 24  # a longer answer text may hold a value inside it
_WORD = re.compile(r"[^\W_]{3,}")
FEWEST_LETTERS, LEAST_NUMBER = 4, 100
_ID_WORDS = frozenset({"id", "key", "number", "code"})


def leaves(value: Json) -> Iterator[str | int | float | bool | None]:
    """Yield the scalars inside a value, in order."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def telling(value: Json) -> bool:
    """Return whether meeting the value twice tells something: texts of four letters on, numbers from 100 on."""
    if isinstance(value, str):
        return len(value.strip()) >= FEWEST_LETTERS
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= LEAST_NUMBER


def identifies(value: Json) -> bool:
    """Return whether a value looks like a thing's id: one word with a digit or an `@`; no date, time or amount."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value >= LEAST_NUMBER
    if not isinstance(value, str) or not telling(value) or len(value) > 80 or len(value.split()) != 1:
        return False
    plain = value.strip("#")
    digits = any(mark.isdigit() for mark in plain)
    return ("@" in plain or digits) and (plain.isdigit() or not _DATE.fullmatch(plain))


def mark(value: Json) -> str:
    """Return what equal scalars share: a number and its text are one value, case aside."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip().casefold()


class Origins:
    """The events of one run in order, and which of them held a value first."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._run = trajectory
        self._held: dict[str, int] = {}
        self._short: dict[str, list[tuple[int, str]]] = {}
        self._texts: list[tuple[int, str]] = []
        for index, step in enumerate(trajectory.steps):
            if step.error is None:
                self._hold(index, step.result)

    @cached_property
    def turns(self) -> tuple[tuple[Moment, str], ...]:
        """Return what the user said, with when."""
        later = (((one.at, 0), one.text.casefold()) for one in self._run.said)
        return (((0, 0), self._run.query.casefold()), *later)

    def of(self, value: Json, *, before: int, argument: str = "") -> Moment | None:
        """Return when a scalar was first there, before the step of this index; None where nothing had held it."""
        answered = self.answered(value) if telling(value) else self._handed_on(value, argument, before)
        moments = [m for m in (self.said(value, argument=argument), answered) if m is not None]
        first = min(moments, default=None)
        return first if first is not None and first <= (before, 0) else None

    def said(self, value: Json, *, argument: str = "") -> Moment | None:
        """Return when the user first said a value: a whole token, and beside a word of its argument if it is short."""
        if isinstance(value, bool) or value is None or not mark(value):
            return None
        return next(
            (at for at, text in self.turns if any(_stands(form, text, value, argument) for form in _forms(value))), None
        )

    def answered(self, value: Json) -> Moment | None:
        """Return when an answer first held a value, as a field, as a key, or as a token of a longer text."""
        if not telling(value):
            return None
        exact = self._held.get(mark(value))
        stop = exact if exact is not None else len(self._run.steps)
        inside = next(
            (i for i, text in self._texts if i < stop and mark(value) in text and _token(mark(value), text)), None
        )
        found = inside if inside is not None else exact
        return None if found is None else (found, 1)

    def _handed_on(self, value: Json, argument: str, before: int) -> Moment | None:
        """Return when an answer held a short id under the argument's own name: `id` C1 for `customer_id`."""
        named = (i for i, field in self._short.get(mark(value), ()) if i < before and _same_noun(field, argument))
        found = next(named, None) if argument else None
        return None if found is None else (found, 1)

    def told_by_text(self, index: int) -> bool:
        """Return whether an argument of a step came from an answer's text that gives orders, which nobody asked for.

        Only where the value stands nowhere else before: not in the user's words, and as no field of an answer.
        """
        step = self._run.steps[index]
        return any(self._ordered(leaf, index) for leaf in leaves(step.arguments) if telling(leaf))

    def _ordered(self, value: Json, index: int) -> bool:
        said = self.said(value)
        exact = self._held.get(mark(value), index)
        if (said is not None and said <= (index, 0)) or exact < index:
            return False
        holding = [text for at, text in self._texts if at < index and _token(mark(value), text)]
        return any(_ORDERS.search(text) for text in holding)

    def stated(self, value: Json, *, before: int, argument: str = "") -> bool:
        """Return whether the user said a value first: what an answer held before is only repeated."""
        said = self.said(value, argument=argument)
        if said is None or said > (before, 0):
            return False
        answered = self.answered(value)
        return answered is None or said < answered

    def _hold(self, index: int, value: Json, field: str = "") -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                if telling(key):
                    self._held.setdefault(mark(key), index)
                self._hold(index, item, key)
        elif isinstance(value, list):
            for item in value:
                self._hold(index, item, field)
        elif telling(value):
            self._held.setdefault(mark(value), index)
            if isinstance(value, str) and len(value) >= _LONG:
                self._texts.append((index, value.casefold()))
        elif _is_short_id(value):
            self._short.setdefault(mark(value), []).append((index, field))


def _is_short_id(value: Json) -> bool:
    """Return whether a value too short to tell anything by itself may be an id: a word with a digit, a number."""
    if isinstance(value, str):
        return 0 < len(value.strip()) < FEWEST_LETTERS and any(character.isdigit() for character in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _same_noun(field: str, argument: str) -> bool:
    """Return whether a field is what an argument of an id's name asks for: `id` or `customer_id` for `customer_id`."""
    one, other = field.casefold(), argument.casefold()
    is_id = other.rpartition("_")[2] in _ID_WORDS
    return is_id and bool(one) and (one == other or other.endswith(f"_{one}") or one.endswith(f"_{other}"))


def _forms(value: Json) -> list[str]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        whole = isinstance(value, int) or value.is_integer()
        return [str(int(value)), f"{int(value):,}", f"{float(value):.2f}"] if whole else [str(value), f"{value:.2f}"]
    plain = mark(value)
    return list(dict.fromkeys((plain, plain.lstrip("#")))) if plain.lstrip("#") else [plain]


def _stands(form: str, text: str, value: Json, argument: str) -> bool:
    if form not in text:
        return False
    return _token(form, text) if telling(value) or not argument else beside(form, text, argument)


def beside(value: Json, text: str, argument: str) -> bool:
    """Return whether a case-folded text holds a value as a whole token beside a word of its argument's name."""
    form = mark(value)
    nouns = _WORD.findall(argument.replace("_", " ").casefold())
    for found in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text):
        around = text[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        if any(noun.rstrip("s") in around for noun in nouns):
            return True
    return False


def _token(form: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) is not None
