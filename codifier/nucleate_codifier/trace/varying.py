"""Whether runs show that each parameter can be another: three values over groups, or as many as there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from nucleate_codifier.entities import Entities, declared
from nucleate_codifier.trace.align.runs import groups_of
from nucleate_codifier.trace.align.template import Template
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.expressions import Expr, Param
from nucleate_codifier.trace.refusals import refused
from nucleate_codifier.values import Evidence
from nucleate_sandbox import FunctionSpec, Json
from nucleate_text_memory import Occurrence

FEWEST_VALUES = 3


class Split(Protocol):
    """The runs that were compiled from, and those held out."""

    @property
    def seen(self) -> Sequence[Occurrence]: ...
    @property
    def held_out(self) -> Sequence[Occurrence]: ...


class Shown(Protocol):
    """The functions of a scope, and what its runs show of values."""

    @property
    def functions(self) -> Mapping[str, FunctionSpec]: ...
    @property
    def entities(self) -> Entities: ...


def check_varies(template: Template, split: Split, evidence: Evidence, world: Shown) -> None:
    """Raise Refused where a parameter took fewer than three values over groups: nothing shows that it may vary."""
    runs = [*split.seen, *split.held_out]
    group = {run.trajectory.task_id: number for run, number in zip(runs, groups_of(runs), strict=True)}
    taken: dict[str, dict[str, int]] = {name: {} for name in template.parameters}
    for example in (*evidence.seen, *evidence.held_out):
        for name, values in taken.items():
            values.setdefault(fingerprint(example.arguments.get(name)), group[example.task_id])
    for name, values in sorted(taken.items()):
        if _one_of_few(template, name, world):
            continue  # the calls of the whole scope, or the schema, show what it may be
        wanted = min([FEWEST_VALUES, *_of_lists(template, name)])
        if len(values) < wanted:
            raise refused(
                "not-shown-to-vary",
                f"{name!r} took {len(values)} different values in {len(set(group.values()))} groups of runs",
                f"Record runs in which {name!r} is another: {wanted} different values show that it may be.",
            )


def _one_of_few(template: Template, name: str, world: Shown) -> bool:
    """Return whether a parameter is handed to an argument as it is that takes one of few values, two at least."""
    places = [(p.function, a) for p in template.patterns for a, expr in p.arguments if _is_param(expr, name)]
    return any(len(_choices(world.functions[f], a, world.entities)) > 1 for f, a in places)


def _is_param(expr: Expr, name: str) -> bool:
    return isinstance(expr, Param) and expr.name == name


def _of_lists(template: Template, name: str) -> Iterator[int]:
    """Yield how many values are enough for a parameter that holds a list: one of one and one of two are two."""
    yield from [2] if any(isinstance(p.over, Param) and p.over.name == name for p in template.patterns) else []


def _choices(spec: FunctionSpec, argument: str, entities: Entities) -> Sequence[Json]:
    enumerated = declared(spec, argument)
    accepted = entities.accepted(spec.name, argument)
    if enumerated:
        return enumerated
    few = all(isinstance(value, bool) for value in accepted) or entities.repeats(spec.name, argument)
    return accepted if few else ()
