"""Texts that are put together from known values, and values that are written in another way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from nucleate_codifier.trace.align.places import SCHEMA_KEY
from nucleate_codifier.trace.conversions import CASES, told, turned, ways
from nucleate_codifier.trace.evaluation import fingerprint, follow
from nucleate_codifier.trace.explain.parameters import ArgumentPlace, Knowledge
from nucleate_codifier.trace.explain.sources import KnownValue
from nucleate_codifier.trace.expressions import Known, Missing, Path, Text, Turned, Var
from nucleate_codifier.trace.refusals import several_forms
from nucleate_sandbox import Json

MOST_PARTS = 3
DEEPEST = 4

Parts: TypeAlias = "tuple[str | Known | Turned, ...]"


def reworded(knowledge: Knowledge, place: ArgumentPlace, column: Sequence[Json]) -> Text | Turned | None:
    """Return how the values are written otherwise, or put together, in every run; None where they are not."""
    if len({fingerprint(value) for value in column}) < 2:
        return None
    known = list(_known(knowledge))
    for fact in known:
        hows = set.intersection(*(set(ways(one, value)) for one, value in zip(fact.column, column, strict=True)))
        if len(hows) > 1:
            raise several_forms(
                place.spec.name, place.argument, sorted(map(told, hows)), [run.task_id for run in knowledge.runs]
            )
        if hows:
            return Turned(of=fact.expr, how=hows.pop())
    texts = [value for value in column if isinstance(value, str)]
    found = _put_together(texts, _as_texts(known), MOST_PARTS) if len(texts) == len(column) else None
    return Text(parts=found) if found else None


def _known(knowledge: Knowledge) -> Iterator[KnownValue]:
    """Yield what the tool knows: its parameters and variables, and the plain fields of earlier results."""
    yield from knowledge.facts
    runs = knowledge.runs
    for step in reversed(range(len(runs[0].scope.results))):
        for path in _fields(runs[0].scope.results[step]):
            try:
                column = tuple(follow(run.scope.results[step], path, run.scope) for run in runs)
            except Missing:
                continue
            yield KnownValue(expr=Var(step=step, path=path), column=column)


def _fields(value: Json, depth: int = DEEPEST) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items() if depth else ():
            if SCHEMA_KEY.fullmatch(key):
                yield from ((key, *rest) for rest in _fields(item, depth - 1))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield ()


def _as_texts(known: Sequence[KnownValue]) -> list[tuple[KnownValue | Turned, list[str]]]:
    """Return the known values as they may stand in a text: as they are, and in another case."""
    found: list[tuple[KnownValue | Turned, list[str]]] = []
    for fact in known:
        plain = [str(value) for value in fact.column if isinstance(value, str | int) and not isinstance(value, bool)]
        if len(plain) < len(fact.column) or len(set(plain)) < 2 or min(map(len, plain)) < 2:
            continue
        found.append((fact, plain))
        cased = ((how, [str(turned(text, how)) for text in plain]) for how in CASES)
        found += [(Turned(of=fact.expr, how=how), texts) for how, texts in cased if texts != plain]
    return found


def _put_together(
    values: Sequence[str], known: Sequence[tuple[KnownValue | Turned, list[str]]], parts: int
) -> Parts | None:
    """Return the parts of the texts from left to right, or None; what no known value gives is equal in every run."""
    if len(set(values)) == 1:
        return (values[0],) if values[0] else ()
    for one, texts in known if parts else ():
        places = [value.find(text) for value, text in zip(values, texts, strict=True)]
        before = {value[:place] for value, place in zip(values, places, strict=True)}
        if min(places) < 0 or len(before) > 1:
            continue
        left = [value[place + len(text) :] for value, place, text in zip(values, places, texts, strict=True)]
        rest = _put_together(left, known, parts - 1)
        if rest is not None:
            start = tuple(before) if all(before) else ()
            return (*start, one.expr if isinstance(one, KnownValue) else one, *rest)
    return None
