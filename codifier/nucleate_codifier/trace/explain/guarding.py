"""A call that some runs leave out: guarded by what the runs that make it have in common, and the others have not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from nucleate_codifier.trace.align.places import SCHEMA_KEY
from nucleate_codifier.trace.align.template import Template
from nucleate_codifier.trace.evaluation import RunScope, follow, same
from nucleate_codifier.trace.explain.criteria import MOST_BY_CHANCE
from nucleate_codifier.trace.expressions import Guard, Missing, Path, Var
from nucleate_codifier.trace.refusals import refused
from nucleate_sandbox import Json
from nucleate_text_memory import Occurrence

DEEPEST = 3
FEWEST = 2


def guarded(template: Template, step: int, making: Sequence[Occurrence], skipping: Sequence[Occurrence]) -> Template:
    """Return the template with a condition before the step, or as it is where the runs show none.

    Raises Refused where several conditions tell the runs that make the call from those that skip it.
    """
    calling = [scope for run in making if (scope := _before(template, step, run)) is not None]
    others = [scope for run in skipping if (scope := _before(template, step, run)) is not None]
    if template.patterns[step].repeated or min(len(calling), len(others)) < FEWEST:
        return template
    paths = list(_places(calling[0].results))
    chance = len(paths) / comb(len(calling) + len(others), len(others))
    found = [guard for var in paths for guard in _guards(var, calling, others)] if chance <= MOST_BY_CHANCE else []
    if len(found) > 1:
        told = " and ".join(repr(guard.of.path[-1]) for guard in found)
        raise refused(
            "several-rules",
            f"{template.patterns[step].function} is called in some runs, which {told} tell from the others alike",
            f"Record a run in which {found[0].of.path[-1]!r} and {found[1].of.path[-1]!r} would decide differently.",
        )
    if not found:
        return template
    patterns = list(template.patterns)
    patterns[step] = replace(patterns[step], guard=found[0])
    return replace(template, patterns=tuple(patterns))


def _before(template: Template, step: int, run: Occurrence) -> RunScope | None:
    return Template(patterns=template.patterns[:step]).read(run.trajectory.steps, run.start)


def _places(results: Sequence[Json]) -> Iterator[Var]:
    for step, result in enumerate(results):
        yield from (Var(step=step, path=path) for path in _fields(result) if path)


def _fields(value: Json, depth: int = DEEPEST) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items() if depth else ():
            if SCHEMA_KEY.fullmatch(key):
                yield from ((key, *rest) for rest in _fields(item, depth - 1))
    elif not isinstance(value, list):
        yield ()


def _guards(var: Var, calling: Sequence[RunScope], others: Sequence[RunScope]) -> Iterator[Guard]:
    """Yield the condition that the field has one value where the call is made and never elsewhere, or the reverse."""
    inside, outside = _column(var, calling), _column(var, others)
    if not inside or not outside:
        return
    if _one_value(inside) and not any(same(value, inside[0]) for value in outside):
        yield Guard(of=var, equals=inside[0])
    elif _one_value(outside) and not any(same(value, outside[0]) for value in inside):
        yield Guard(of=var, equals=outside[0], holds=False)


def _column(var: Var, scopes: Sequence[RunScope]) -> list[Json]:
    try:
        return [follow(scope.results[var.step], var.path, scope) for scope in scopes]
    except Missing:
        return []


def _one_value(values: Sequence[Json]) -> bool:
    return all(same(value, values[0]) for value in values)
