"""What a tool takes by itself, told by its recorded calls: entities that nobody gave it, and rows picked by chance.

However a value is written or built in the source, the calls show it: it stands in neither the arguments nor an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from nucleate_codifier.discrimination import WRITE_BITS, ValueUse, bits
from nucleate_codifier.entities import Entities, names_one_thing, unexplained
from nucleate_codifier.values import Example, Finding
from nucleate_sandbox import Call, Effect, FunctionSpec, Json
from nucleate_text_memory.origins import identifies, leaves, mark, telling

MOST_WORDS = 4
_PIECE = re.compile(r"[^\W_]+")
_T = TypeVar("_T")


def own_entities(
    examples: Sequence[Example], structural: frozenset[str], functions: Mapping[str, FunctionSpec]
) -> list[Finding]:
    """Return a finding for each entity that a tool calls a function with and that nothing gave it."""
    entities = Entities()
    for example in examples:
        entities.see_calls(example.calls)
    found: dict[str, Finding] = {}
    for example in examples:
        for call, name, value in unexplained(example.arguments, example.calls):
            named = names_one_thing(entities, functions.get(call.function), name, value) and not _built(
                value, example, call
            )
            if named and mark(value) not in structural and mark(value) not in found:
                found[mark(value)] = Finding(
                    rule="generality/own-entity",
                    message=f"{name}={value!r:.60} of {call.function} is neither in the arguments nor in an answer "
                    f"of task {example.task_id!r}: the tool is about one thing",
                    fix="make it a parameter",
                )
    return list(found.values())


def picked_rows(examples: Sequence[Example], functions: Mapping[str, FunctionSpec]) -> list[Finding]:
    """Return a finding for each write whose rows are always the first (or last) of several, told apart by nothing."""
    places: dict[tuple[str, str], list[_Pick]] = {}
    for number, example in enumerate(examples):
        for pick in _picks(example, functions, number):
            places.setdefault((pick.function, pick.argument), []).append(pick)
    return [_finding(picks) for picks in places.values() if _by_place(picks)]


@dataclass(frozen=True, kw_only=True)
class _Pick:
    """A value that a write took from a list: at which index, of how many, in which example.

    `own` are the fields of the row (name and value) that no other row has, as far as they name no one thing.
    """

    function: str
    argument: str
    index: int
    number: int
    example: int
    task_id: str
    own: frozenset[str]


def _picks(example: Example, functions: Mapping[str, FunctionSpec], number: int) -> Iterator[_Pick]:
    given = {mark(leaf) for leaf in leaves(example.arguments) if telling(leaf)}
    for at, call in enumerate(example.calls):
        if call.function not in functions or functions[call.function].effect is Effect.READ:
            continue
        used = {mark(leaf) for other in example.calls if other.function == call.function for leaf in _leaves(other)}
        for name, value in call.arguments.items():
            if isinstance(value, list | dict) or not identifies(value) or mark(value) in given:
                continue
            rows = _rows_with(mark(value), [earlier.result for earlier in example.calls[:at]])
            told = [_told(row) for row in rows]
            index = next((i for i, row in enumerate(told) if mark(value) in row), None)
            if index is None or _is_told(told, index, given) or any(used & row for row in _without(told, index)):
                continue
            others = frozenset[str]().union(*(_kinds(row) for row in _without(rows, index)))
            yield _Pick(
                function=call.function,
                argument=name,
                index=index,
                number=len(rows),
                example=number,
                task_id=example.task_id,
                own=_kinds(rows[index]) - others,
            )


def _rows_with(wanted: str, answers: Sequence[Json]) -> Sequence[Json]:
    """Return the rows of the first list of which one holds a value; nothing where there is none."""
    found = (rows for answer in answers for rows in _lists(answer) if any(wanted in _told(row) for row in rows))
    return next(found, ())


def _told(row: Json) -> frozenset[str]:
    return frozenset(mark(leaf) for leaf in leaves(row) if telling(leaf))


def _kinds(row: Json) -> frozenset[str]:
    """Return a row's fields that say of what kind it is: `status: delivered`, no id and no text of several words."""
    fields = row.items() if isinstance(row, dict) else ()
    plain = ((name, v) for name, v in fields if isinstance(v, str | bool) and not identifies(v))
    return frozenset(f"{name}: {value}" for name, value in plain if len(str(value).split()) < MOST_WORDS)


def _without(rows: Sequence[_T], index: int) -> Iterator[_T]:
    return (row for other, row in enumerate(rows) if other != index)


def _lists(value: Json) -> Iterator[Sequence[Json]]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _lists(item)
    elif isinstance(value, list):
        for item in value:
            yield from _lists(item)
        yield value


def _is_told(rows: Sequence[frozenset[str]], index: int, given: set[str]) -> bool:
    """Return whether a value that the tool was given is in this row and in no other."""
    others = frozenset[str]().union(*_without(rows, index))
    return bool((rows[index] & given) - others)


def _leaves(call: Call) -> Iterator[Json]:
    return (leaf for leaf in leaves(call.arguments) if telling(leaf))


def _by_place(picks: Sequence[_Pick]) -> bool:
    """Return whether all picks were the first, or all the last, where there were several, and too few to be a rule."""
    several = [pick for pick in picks if pick.number > 1]
    if several and frozenset.intersection(*(pick.own for pick in several)):
        return False  # all are of one kind, of which no other row was
    ends = {"first"} if all(pick.index == 0 for pick in several) else set[str]()
    ends |= {"last"} if all(pick.index == pick.number - 1 for pick in several) else set()
    uses = [ValueUse(pick.example, 1 / pick.number) for pick in several]
    return bool(several) and bool(ends) and bits(uses) < WRITE_BITS


def _finding(picks: Sequence[_Pick]) -> Finding:
    several = [pick for pick in picks if pick.number > 1]
    end = "first" if all(pick.index == 0 for pick in several) else "last"
    return Finding(
        rule="generality/picked-row",
        message=f"{picks[0].argument!r} of {picks[0].function} is that of the {end} of {several[0].number} rows in "
        f"task {several[0].task_id!r}, and nothing that the tool is given tells this row from the others",
        fix="take what tells it apart as a parameter, or raise an error that lists the candidates",
    )


def _built(value: Json, example: Example, used: Call) -> bool:
    """Return whether a value holds one that the tool was given or answered, or is one in another form.

    An id put together is no constant, and neither is a date whose pieces are those of one text known before its use.
    """
    text = mark(value)
    answers = [call.result for call in example.calls]
    held = [mark(leaf) for part in (example.arguments, *answers) for leaf in leaves(part) if telling(leaf)]
    before = takewhile(lambda call: call is not used, example.calls)
    known = [mark(leaf) for part in (example.arguments, *(call.result for call in before)) for leaf in leaves(part)]
    pieces = set(_PIECE.findall(text))
    return any(one in text and one != text for one in held) or any(pieces <= set(_PIECE.findall(one)) for one in known)
