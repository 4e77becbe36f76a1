"""Values that the task describes in words: chosen from an earlier result by a field that becomes a parameter."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.annotations import annotation_of
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.explain.parameters import ArgumentPlace, Knowledge
from nucleate_codifier.trace.explain.selection import Cell, Selection, selections
from nucleate_codifier.trace.expressions import Item, Known, Mapped, Param, Var
from nucleate_codifier.trace.names import identifier, plural
from nucleate_sandbox import Json


def chosen(knowledge: Knowledge, place: ArgumentPlace, column: Sequence[Json]) -> Var | None:
    """Return the element that one field tells from the others in every run, or two fields; None if none does."""
    cells = [Cell(run=index, value=value) for index, value in enumerate(column)]
    found = _selections(knowledge, cells)
    if not found:
        return None
    best = found[0]
    return best.bind({name: _parameter(knowledge, place, name, values) for name, values in best.told.items()})


def chosen_each(knowledge: Knowledge, place: ArgumentPlace, lists: Sequence[Sequence[Json]]) -> Mapped | None:
    """Return the list whose elements are chosen one by one, by a field that becomes a parameter with a list."""
    cells = [Cell(run=index, value=value) for index, values in enumerate(lists) for value in values]
    for one in _selections(knowledge, cells):
        columns = {name: _by_run(cells, told, len(lists)) for name, told in one.told.items()}
        *scalars, last = columns
        if all(_alike(values) for name in scalars for values in columns[name]):
            known: dict[str, Known] = {
                name: _parameter(knowledge, place, name, [values[0] for values in columns[name]]) for name in scalars
            }
            over = _parameter(knowledge, place, last, columns[last], each=True)
            return Mapped(over=over, element=one.bind({**known, last: Item()}))
    return None


def _selections(knowledge: Knowledge, cells: Sequence[Cell]) -> list[Selection]:
    """Return the selections where there is a need for one: the values say something, and nobody knew them before."""
    if not all(informative(cell.value) and not isinstance(cell.value, dict | list) for cell in cells):
        return []
    if all(cell.value in knowledge.runs[cell.run].before for cell in cells):
        return []
    return selections(cells, knowledge.runs, knowledge.facts)


def _parameter(
    knowledge: Knowledge, place: ArgumentPlace, placeholder: str, column: Sequence[Json], *, each: bool = False
) -> Param:
    known = next((expr for expr in knowledge.equal(column) if isinstance(expr, Param)), None)
    if known is not None:
        return known
    thing, field = identifier(place.argument).removesuffix("_id"), placeholder.partition(".")[2]
    name = identifier(field) if identifier(field).startswith(thing) else f"{thing}_{identifier(field)}"
    words = f"the {field.replace('_', ' ')} of {'each' if each else 'the'} {thing.replace('_', ' ')}"
    whole = ArgumentPlace(spec=place.spec, argument=plural(name) if each else name, schema={})
    param = knowledge.declare(whole, column, annotation_of(column), words=words)
    knowledge.learn(param, column)
    return param


def _by_run(cells: Sequence[Cell], told: Sequence[Json], runs: int) -> list[list[Json]]:
    lists: list[list[Json]] = [[] for _ in range(runs)]
    for cell, value in zip(cells, told, strict=True):
        lists[cell.run].append(value)
    return lists


def _alike(values: Sequence[Json]) -> bool:
    return len({fingerprint(value) for value in values}) == 1
