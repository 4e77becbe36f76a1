"""Whether whoever calls the tool can know a value before the call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nucleate_codifier.trace.align.mentions import informative, leaves
from nucleate_codifier.trace.align.places import places
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.refusals import no_common_source
from nucleate_sandbox import Json


def check_known_before(function: str, argument: str, column: Sequence[Json], runs: Sequence[SupportingRun]) -> None:
    """Refuse a parameter whose value only the tool's own calls reveal: nobody could pass it."""
    where = [text for value, run in zip(column, runs, strict=True) for text in _revealed(value, run)]
    if where:
        raise no_common_source(function, argument, where)


def _revealed(value: Json, run: SupportingRun) -> Iterator[str]:
    for leaf in leaves(value):
        if not informative(leaf) or leaf in run.before:
            continue
        for step, result in enumerate(run.scope.results):
            path = next(places(result, fingerprint(leaf)), None)
            if path is not None:
                yield f"{run.task_id}: {leaf!r} is {run.called[step]}(…){_spelled(path)}"
                return


def _spelled(path: Sequence[str | int]) -> str:
    return "".join(f"[{key!r}]" for key in path)
