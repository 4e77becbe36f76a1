"""Which list repeated calls, or the elements of an argument, run over: a whole one, or the part that a field tells."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace.align.loops import Calls, ListLoop, loop_over_result
from nucleate_codifier.trace.align.mentions import telling
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.annotations import annotation_of
from nucleate_codifier.trace.evaluation import follow, same, total
from nucleate_codifier.trace.explain.filters import Filtered, filtered
from nucleate_codifier.trace.explain.parameters import ArgumentPlace, Knowledge
from nucleate_codifier.trace.expressions import Missing, Param, Total, Var
from nucleate_codifier.trace.names import identifier
from nucleate_codifier.trace.refusals import several_filters
from nucleate_sandbox import Json


def loop(knowledge: Knowledge, place: ArgumentPlace, calls: Calls, names: Sequence[str]) -> ListLoop | None:
    """Return the loop that gives the values of the names in every run; raise Refused where several conditions would."""
    whole = loop_over_result(calls, names, knowledge.runs)
    if whole is not None or not names:
        return whole
    found = filtered(calls, names, knowledge.runs, knowledge.facts, knowledge.effect)
    if len(found) > 1:
        raise several_filters(place.spec.name, [one.field for one in found])
    return _bound(knowledge, place, found[0]) if found else None


def spread(knowledge: Knowledge, place: ArgumentPlace, lists: Sequence[Sequence[Json]]) -> Var | None:
    """Return the variable that is the whole list in every run: a field of every element, or of those that remain."""
    if all(len(values) == 1 for values in lists):
        return None  # one element of one says nothing of the others
    found = loop(knowledge, place, [[{"": value} for value in values] for values in lists], [""])
    return Var(step=found.over.step, path=(*found.over.path, *found.items[""].path)) if found else None


def summed(column: Sequence[Json], runs: Sequence[SupportingRun]) -> Total | None:
    """Return the list whose numbers add up to the value in every run."""
    if not telling(column) or not all(isinstance(value, int | float) for value in column):
        return None
    for step in reversed(range(len(runs[0].scope.results))):
        paths = set.intersection(*(run.lists(step) for run in runs))
        for path in sorted(paths, key=lambda path: (len(path), repr(path))):
            if all(_adds_up(run, Var(step=step, path=path), value) for run, value in zip(runs, column, strict=True)):
                return Total(of=Var(step=step, path=path))
    return None


def _adds_up(run: SupportingRun, var: Var, value: Json) -> bool:
    try:
        return same(total(follow(run.scope.results[var.step], var.path, run.scope)), value)
    except Missing:
        return False


def _bound(knowledge: Knowledge, place: ArgumentPlace, found: Filtered) -> ListLoop:
    if not found.told:
        return found.loop
    words = f"the {found.field.replace('_', ' ')} of the elements to go through"
    whole = ArgumentPlace(spec=place.spec, argument=identifier(found.field), schema={})
    param: Param = knowledge.declare(whole, found.told, annotation_of(found.told), words=words)
    knowledge.learn(param, found.told)
    return found.bind(param)
