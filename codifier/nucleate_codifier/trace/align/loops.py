"""A call repeated in every run: which list of the earlier results it runs over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import fingerprint, follow
from nucleate_codifier.trace.expressions import Each, Item, Missing, Path, Var
from nucleate_sandbox import Json

Calls: TypeAlias = Sequence[Sequence[Mapping[str, Json]]]
"""The arguments of the repeated calls, run by run."""


@dataclass(frozen=True, kw_only=True)
class ListLoop:
    """The list to run over, and where the element holds each varying argument."""

    over: Var
    items: Mapping[str, Item]


def varying(groups: Calls, names: Sequence[str]) -> list[str]:
    """Return the arguments that are not the same throughout the group in every run."""
    return [name for name in names if any(len({fingerprint(call[name]) for call in group}) > 1 for group in groups)]


def loop_over_result(groups: Calls, names: Sequence[str], runs: Sequence[SupportingRun]) -> ListLoop | None:
    """Return the loop whose elements give the varying arguments of every run, in order; nearest and shortest first."""
    if not names:
        return None
    columns = {name: [[call[name] for call in group] for group in groups] for name in names}
    if not all(informative(value) for column in columns.values() for value in column):
        return None
    for step in reversed(range(len(runs[0].scope.results))):
        paths = {name: _paths(column, runs, step) for name, column in columns.items()}
        for base in _bases(paths[names[0]]):
            found = {name: _within(base, paths[name]) for name in names}
            if all(item is not None for item in found.values()):
                items = {name: item for name, item in found.items() if item is not None}
                return ListLoop(over=Var(step=step, path=base), items=items)
    return None


def _paths(column: Sequence[list[Json]], runs: Sequence[SupportingRun], step: int) -> list[Path]:
    common: set[Path] | None = None
    for run, values in zip(runs, column, strict=True):
        wanted = fingerprint(values)
        paths = common if common is not None else run.lists(step)
        common = {path for path in paths if _gives(run, step, path, wanted)}
    return sorted(common or (), key=lambda path: (len(path), repr(path)))


def _gives(run: SupportingRun, step: int, path: Path, wanted: str) -> bool:
    try:
        return fingerprint(follow(run.scope.results[step], path, run.scope)) == wanted
    except Missing:
        return False


def _bases(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        last = max(index for index, element in enumerate(path) if isinstance(element, Each))
        yield path[: last + 1]


def _within(base: Path, paths: Sequence[Path]) -> Item | None:
    return next((Item(path=path[len(base) :]) for path in paths if path[: len(base)] == base), None)
