"""Evidence for a helper that was written without trajectories: what it does in a recorded run, against that run.

The model says only with which arguments; the trusted side runs the helper in the recording of that task and compares.
"""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_codifier.admission.reading.references import capabilities_of
from nucleate_codifier.admission.running.bench import Bench, GateTimeout, Unsupported
from nucleate_codifier.admission.running.compare import calls_difference, ending, is_read, shown
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.trace.align.mentions import leaves
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, FunctionSpec, Json, JsonObject, Outcome, RecordedEnvironment, canonical
from nucleate_text_memory import Occurrence


class Unconfirmed(Exception):
    """A recorded run does not confirm the helper: `rule` says how, the message why, in the recording's own values."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def recorded(occurrence: Occurrence, functions: Mapping[str, FunctionSpec]) -> tuple[Call, ...]:
    """Return the environment calls of the plan's part of a run; calls that failed are not what a tool repeats."""
    steps = occurrence.trajectory.steps[occurrence.start : occurrence.stop]
    return tuple(
        Call(function=step.function, arguments=step.arguments, result=step.result)
        for step in steps
        if step.function in functions and step.error is None
    )


def claimed(subject: Subject, occurrence: Occurrence, arguments: JsonObject) -> Example:
    """Return what a run would show if the helper did all that the run did with the helper's functions."""
    reach = capabilities_of(subject)
    calls = [call for call in recorded(occurrence, subject.environment.functions) if call.function in reach]
    return _example(occurrence, arguments, None, tuple(calls))


def confirm(bench: Bench, subject: Subject, occurrence: Occurrence, arguments: JsonObject) -> Example:
    """Run the helper in the recording; return the example that it makes, or raise Unconfirmed.

    Its writes must be exactly the run's writes by the functions that it may call; its reads must be recorded ones;
    every scalar that it returns must stand in an answer that it got, or in a recorded argument.
    """
    functions = subject.environment.functions
    known = recorded(occurrence, functions)
    outcome = _run(bench, arguments, RecordedEnvironment(subject.environment.name, functions, known))
    _check_strayed(outcome, functions)
    if not outcome.ok:
        raise Unconfirmed("fails-in-recording", f"it {ending(outcome)}")
    _check_writes(outcome, claimed(subject, occurrence, arguments).calls, functions)
    _check_result(outcome, known)
    made = tuple(Call(function=call.function, arguments=call.arguments, result=call.result) for call in outcome.calls)
    return _example(occurrence, arguments, outcome.value, made)


def _run(bench: Bench, arguments: JsonObject, world: RecordedEnvironment) -> Outcome:
    try:
        return bench.call(arguments, world)
    except Unsupported as lack:
        raise Unconfirmed("fails-in-recording", f"the sandbox cannot run it: {lack}") from lack
    except GateTimeout as end:
        raise Unconfirmed("fails-in-recording", "the seconds of the replay gate are used up") from end


def _check_strayed(outcome: Outcome, functions: Mapping[str, FunctionSpec]) -> None:
    """Refuse a call that the run has no record of, even where the helper caught the error."""
    strayed = next((call for call in outcome.calls if call.error is not None), None)
    if strayed is not None:
        rule = "other-reads" if is_read(strayed, functions) else "other-writes"
        raise Unconfirmed(rule, f"the run has no record of {strayed.function}({canonical(strayed.arguments)})")


def _check_writes(outcome: Outcome, expected: tuple[Call, ...], functions: Mapping[str, FunctionSpec]) -> None:
    if not outcome.calls:
        raise Unconfirmed("no-calls", "it calls no environment function, so no recording can confirm it")
    writes = [[call for call in calls if not is_read(call, functions)] for calls in (outcome.calls, expected)]
    difference = calls_difference(*writes)
    if difference is not None:
        raise Unconfirmed("other-writes", f"writes differ: {difference}")


def _check_result(outcome: Outcome, known: tuple[Call, ...]) -> None:
    answers = [call.result for call in outcome.calls]
    arguments: list[Json] = [dict(call.arguments) for call in known]
    seen = {_mark(leaf) for value in (*answers, *arguments) for leaf in leaves(value)}
    invented = [leaf for leaf in leaves(outcome.value) if leaf is not None and _mark(leaf) not in seen]
    if invented:
        raise Unconfirmed(
            "invented-result", f"it returns {shown(invented[0])}, which stands in no answer and no recorded argument"
        )


def _mark(value: Json) -> str:
    """Return a text that equal scalars share: 1 and 1.0 do, 1 and true do not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return canonical(value)


def _example(occurrence: Occurrence, arguments: JsonObject, result: Json, calls: tuple[Call, ...]) -> Example:
    run = occurrence.trajectory
    return Example(task_id=run.task_id, query=run.query, arguments=arguments, result=result, calls=calls)
