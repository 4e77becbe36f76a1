"""Compares what a version and its baseline made of the same call, begun in the same state: result and writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nucleate_codifier.admission.running.compare import ending, is_read, same, shown, writes_difference
from nucleate_sandbox import Call, FunctionSpec, JsonObject, Outcome, canonical
from nucleate_text_memory.retrieval.words import estimate_tokens
from nucleate_tool_library.trials.trials import Side

FORBIDDEN = frozenset({"NotAllowed", "UnknownFunction"})


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Who passed; whether the version does worse or other than the baseline that worked; whether it stayed safe."""

    passed: bool
    reference_passed: bool
    regressed: bool
    detail: str = ""


def compare(outcome: Outcome, reference: Outcome, functions: Mapping[str, FunctionSpec]) -> Comparison:
    """Compare a version's outcome with that of what it would replace.

    To be refused by the environment in the same way is to do the same. Where the baseline worked, every difference is
    a regression; where it did not, the version may do better, but not by writing what the baseline left alone.
    """
    writes = writes_difference(outcome.calls, reference.calls, functions)
    if _refused_alike(outcome, reference) and writes is None:
        return Comparison(passed=True, reference_passed=True, regressed=False)
    if reference.ok:
        detail = writes if outcome.ok and writes else _results(outcome, reference)
        return Comparison(passed=not detail, reference_passed=True, regressed=bool(detail), detail=detail)
    if outcome.ok and _wrote(reference, functions) != _wrote(outcome, functions) and _refused(reference):
        detail = f"{writes}, where the baseline {ending(reference)}"
        return Comparison(passed=False, reference_passed=True, regressed=True, detail=detail)
    detail = f"{ending(outcome)}, where the baseline {ending(reference)}"
    return Comparison(passed=outcome.ok, reference_passed=False, regressed=False, detail=detail)


def unsafe(outcome: Outcome, reference: Outcome | None, functions: Mapping[str, FunctionSpec]) -> str | None:
    """Say what a version did that it must not: call beyond its manifest, or destroy what the baseline does not."""
    for call in outcome.calls:
        if call.error is not None and call.error.kind in FORBIDDEN:
            return f"called {call.function!r}: {call.error.message}"
    if reference is not None and (more := _destructive(outcome, functions) - _destructive(reference, functions)):
        return f"made the destructive call {min(more)}, which the baseline does not make"
    return None


def wrote(outcome: Outcome, functions: Mapping[str, FunctionSpec]) -> bool:
    """Return whether a call may have changed anything outside the sandbox."""
    return bool(_wrote(outcome, functions))


def side(outcome: Outcome, arguments: JsonObject, *, passed: bool) -> Side:
    """Return one side of a trial: an agent sees the one call of the tool and its answer."""
    answer = outcome.value if outcome.error is None else outcome.error.message
    tokens = estimate_tokens(canonical(arguments)) + estimate_tokens(canonical(answer))
    return Side(passed=passed, milliseconds=outcome.usage.seconds * 1000, tokens=tokens, calls=1)


def steps_side(outcome: Outcome, *, passed: bool) -> Side:
    """Return the side of plain steps: an agent makes every call itself, and sees every answer."""
    texts = [text for call in outcome.calls for text in (call.function, canonical(call.arguments), _answer(call))]
    tokens = sum(estimate_tokens(text) for text in texts)
    return Side(passed=passed, milliseconds=outcome.usage.seconds * 1000, tokens=tokens, calls=len(outcome.calls))


def _results(outcome: Outcome, reference: Outcome) -> str:
    if not outcome.ok:
        return f"{ending(outcome)}, where the baseline {ending(reference)}"
    if same(outcome.value, reference.value):
        return ""
    return f"returned {shown(outcome.value)}, where the baseline returned {shown(reference.value)}"


def _refused(outcome: Outcome) -> bool:
    return outcome.failure is not None and outcome.failure.from_environment


def _refused_alike(outcome: Outcome, reference: Outcome) -> bool:
    first, second = outcome.failure, reference.failure
    return _refused(outcome) and _refused(reference) and first is not None and first.kind == (second and second.kind)


def _wrote(outcome: Outcome, functions: Mapping[str, FunctionSpec]) -> list[str]:
    made = [call for call in outcome.calls if not is_read(call, functions) and call.error is None]
    return [_text(call) for call in made]


def _destructive(outcome: Outcome, functions: Mapping[str, FunctionSpec]) -> set[str]:
    known = [call for call in outcome.calls if call.function in functions]
    return {_text(call) for call in known if functions[call.function].effect == "destructive"}


def _text(call: Call) -> str:
    return f"{call.function}({canonical(call.arguments)})"


def _answer(call: Call) -> str:
    return canonical(call.result) if call.error is None else call.error.message
