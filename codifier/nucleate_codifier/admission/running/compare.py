"""Compares what a tool did with what was recorded, and says the first difference in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from nucleate_codifier.admission.running.differences import describe, differences
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, FunctionSpec, Json, Outcome, canonical

MAX_SHOWN = 160


def same(first: Json, second: Json) -> bool:
    """Return whether two JSON values are equal: 1 equals 1.0, but no truth value equals a number."""
    return next(differences(first, second), None) is None


def shown(value: Json) -> str:
    """Return a value as text of bounded length."""
    text = canonical(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def ending(outcome: Outcome) -> str:
    """Say in words how a call ended."""
    return f"returned {shown(outcome.value)}" if outcome.error is None else _short(outcome.error.ending)


def result_difference(outcome: Outcome, example: Example) -> str | None:
    """Say how the result differs from the recorded one; None where it does not."""
    if outcome.ok:
        return None if same(outcome.value, example.result) else _results(outcome.value, example.result)
    last = example.calls[-1].error if example.calls else None
    failure = outcome.failure
    if outcome.limit is None and failure and last and failure.from_environment and failure.kind == last.kind:
        return None
    return f"{ending(outcome)}, recorded {shown(example.result)}"


def _results(came: Json, recorded: Json) -> str:
    """Show both results where they are short, and where they differ where they are long."""
    if isinstance(came, dict | list) and type(came) is type(recorded) and len(canonical([came, recorded])) > MAX_SHOWN:
        return f"the result differs from the recorded one: {describe(recorded, came)}"
    return f"returned {shown(came)}, recorded {shown(recorded)}"


def calls_difference(made: Sequence[Call], recorded: Sequence[Call]) -> str | None:
    """Say which call is the first that differs in function or arguments; None where none does."""
    for index in range(max(len(made), len(recorded))):
        got = _call(made[index]) if index < len(made) else "no call"
        expected = _call(recorded[index]) if index < len(recorded) else "no call"
        if got != expected:
            return f"call {index + 1}: {_two_calls(made[index : index + 1], recorded[index : index + 1])}"
    return None


def told_apart(first: Outcome, second: Outcome) -> str | None:
    """Say how two calls with the same arguments differ in what they call, raise or return; None where they do not."""
    calls = calls_difference(second.calls, first.calls)
    if calls is not None:
        return calls
    kinds = [outcome.error and outcome.error.kind for outcome in (first, second)]
    if kinds[0] == kinds[1] and same(first.value, second.value):
        return None
    return f"{ending(first)}, then {ending(second)}"


def _two_calls(made: Sequence[Call], recorded: Sequence[Call]) -> str:
    got, expected = (_call(calls[0]) if calls else "no call" for calls in (made, recorded))
    long = len(got) + len(expected) > MAX_SHOWN
    if long and made and recorded and made[0].function == recorded[0].function:
        return (
            f"{made[0].function} differs from the recorded call: {describe(recorded[0].arguments, made[0].arguments)}"
        )
    return f"made {_short(got)}, recorded {_short(expected)}"


def writes_difference(
    made: Sequence[Call], recorded: Sequence[Call], functions: Mapping[str, FunctionSpec]
) -> str | None:
    """Compare writes in exact order."""
    writes = [[call for call in calls if not is_read(call, functions)] for calls in (made, recorded)]
    difference = calls_difference(*writes)
    return None if difference is None else f"writes differ: {difference}"


def reads_difference(
    made: Sequence[Call], recorded: Sequence[Call], functions: Mapping[str, FunctionSpec]
) -> str | None:
    """Compare reads in any order."""
    reads = [Counter(_call(call) for call in calls if is_read(call, functions)) for calls in (made, recorded)]
    extra, missing = reads[0] - reads[1], reads[1] - reads[0]
    if extra or missing:
        return f"reads differ: made {_some(extra)}, recorded {_some(missing)}"
    return None


def is_read(call: Call, functions: Mapping[str, FunctionSpec]) -> bool:
    """Return whether a call is known to change nothing."""
    return call.function in functions and functions[call.function].effect == "read"


def _some(calls: Counter[str]) -> str:
    return _short(next(iter(sorted(calls)), "no other"))


def _call(call: Call) -> str:
    return f"{call.function}({canonical(call.arguments)})"


def _short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
