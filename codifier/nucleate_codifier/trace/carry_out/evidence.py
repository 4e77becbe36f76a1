"""Supporting runs as examples: the arguments read off them, the result, the calls that the tool replaces."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace.align.template import Match, Template
from nucleate_codifier.trace.carry_out.performing import reproduces
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, Failure
from nucleate_text_memory import Occurrence, Step


def examples(template: Template, occurrences: Sequence[Occurrence]) -> tuple[tuple[Example, ...], tuple[str, ...]]:
    """Return an example per run that the template recognises and reproduces, and the task ids of the others."""
    found: list[Example] = []
    unmatched: list[str] = []
    for occurrence in occurrences:
        match = template.match(occurrence.trajectory.steps[: occurrence.stop], occurrence.start)
        example = _example(occurrence, match) if match is not None and match.stop == occurrence.stop else None
        if example is not None and reproduces(template, example.arguments, example.calls):
            found.append(example)
        else:
            unmatched.append(occurrence.trajectory.task_id)
    return tuple(found), tuple(unmatched)


def _example(occurrence: Occurrence, match: Match) -> Example:
    steps = [occurrence.trajectory.steps[index] for index in match.steps]
    return Example(
        task_id=occurrence.trajectory.task_id,
        query=occurrence.trajectory.query,
        arguments=match.arguments,
        result=match.result,
        calls=tuple(call_of(step) for step in steps),
    )


def call_of(step: Step) -> Call:
    """Return a recorded step as the call that it was."""
    error = Failure(kind=step.error.kind, message=step.error.message) if step.error else None
    return Call(function=step.function, arguments=step.arguments, result=step.result, error=error)
