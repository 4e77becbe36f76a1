"""Supporting runs as examples: the arguments read off them, the result, the calls that the tool replaces."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace.template import Match, Template
from nucleate_codifier.values import Example
from nucleate_sandbox import Call
from nucleate_text_memory import Occurrence


def examples(template: Template, occurrences: Sequence[Occurrence]) -> tuple[tuple[Example, ...], tuple[str, ...]]:
    """Return an example per run that the template recognises, and the task ids of those that it does not."""
    found: list[Example] = []
    unmatched: list[str] = []
    for occurrence in occurrences:
        match = template.match(occurrence.trajectory.steps, occurrence.start)
        if match is None or match.stop != occurrence.stop:
            unmatched.append(occurrence.trajectory.task_id)
        else:
            found.append(_example(occurrence, match))
    return tuple(found), tuple(unmatched)


def _example(occurrence: Occurrence, match: Match) -> Example:
    steps = [occurrence.trajectory.steps[index] for index in match.steps]
    return Example(
        task_id=occurrence.trajectory.task_id,
        query=occurrence.trajectory.query,
        arguments=match.arguments,
        result=match.result,
        calls=tuple(Call(function=step.function, arguments=step.arguments, result=step.result) for step in steps),
    )
