"""The properties themselves: what no call of a tool may do, whatever its arguments are."""

from __future__ import annotations

import ast
from typing import TypeAlias

from jsonschema import Draft202012Validator

from nucleate_codifier.admission.reading.references import capabilities_of
from nucleate_codifier.admission.running.compare import calls_difference, ending, is_read, same, told_apart
from nucleate_codifier.admission.subject import Subject
from nucleate_sandbox import Call, Failure, Json, JsonObject, Outcome

# ValueError says that the arguments make no sense; the bridge's own refusals say so for the environment.
REJECTIONS = frozenset({"ValueError", "UnicodeError", "JSONDecodeError", "InvalidOperation"})
OUTSIDE = frozenset({"NotAllowed", "UnknownFunction"})
LOOKUPS = frozenset({"KeyError", "IndexError", "TypeError", "StopIteration", "AttributeError"})
EMPTY = frozenset({"IndexError", "StopIteration"})  # after a write, to find nothing leaves half of the work done
NOT_FOUND = frozenset({"StopIteration", "LookupError"})  # a called tool's too, whose source is not read here


Broken: TypeAlias = tuple[str, str]


class PropertyRules:
    """The properties of one candidate; each broken one is a rule's name and what happened."""

    def __init__(self, subject: Subject, returns: JsonObject) -> None:
        self._functions = subject.environment.functions
        self._capabilities = frozenset(capabilities_of(subject))
        self._returns = Draft202012Validator(returns)
        self._declared = _raised_kinds(subject.candidate.source)
        recorded = [call for example in subject.evidence.seen for call in example.calls]
        self._reads_only = bool(recorded) and all(is_read(call, self._functions) for call in recorded)
        self._shapes = {(call.function, _shape(call.result)) for call in recorded}

    def broken(self, outcome: Outcome) -> Broken | None:
        """Return the first rule that a call breaks, and how."""
        if outcome.limit is not None:
            return "limit", ending(outcome)
        return self._calls(outcome) or self._ending(outcome)

    def repeats(self, first: Outcome, second: Outcome) -> Broken | None:
        """Two calls with equal arguments in equal worlds come out the same, in any process and with any hash seed."""
        if told_apart(first, second) is None or _answers_differ(first.calls, second.calls):
            return None
        return "not-deterministic", f"it {ending(first)}, then it {ending(second)}"

    def _calls(self, outcome: Outcome) -> Broken | None:
        for call in outcome.calls:
            outside = call.error is not None and call.error.kind in OUTSIDE
            if outside or call.function not in self._capabilities:
                return "outside-manifest", f"it called {call.function!r}"
            if self._reads_only and not is_read(call, self._functions):
                return "hidden-write", f"it called {call.function!r}, which may change something"
        return None

    def _ending(self, outcome: Outcome) -> Broken | None:
        if outcome.failure is not None:
            return None if self._may_fail(outcome.failure, outcome) else ("crash", ending(outcome))
        problem = next(iter(self._returns.iter_errors(outcome.value)), None)
        return ("wrong-type", f"{ending(outcome)}: {problem.message[:200]}") if problem is not None else None

    def _may_fail(self, failure: Failure, outcome: Outcome) -> bool:
        # The flag `from_environment` comes out of the sandbox; the log of calls is the host's own.
        answered = {call.error.kind for call in outcome.calls if call.error is not None}
        if failure.kind in answered | REJECTIONS | self._declared:
            return True
        if self._only_read(outcome.calls) and (failure.kind in NOT_FOUND or _took_first_of_nothing(failure, outcome)):
            return True
        late = failure.kind in EMPTY and not self._only_read(outcome.calls)
        return failure.kind in LOOKUPS and not late and self._surprised(outcome.calls)

    def _only_read(self, calls: tuple[Call, ...]) -> bool:
        """A search that does not find what an argument names, before anything was written, is a refusal."""
        return bool(calls) and all(call.error is None and is_read(call, self._functions) for call in calls)

    def _surprised(self, calls: tuple[Call, ...]) -> bool:
        """To stop at an answer of a form that no recorded run has shown is right: nobody knows what it means."""
        return any(call.error is None and (call.function, _shape(call.result)) not in self._shapes for call in calls)


def _answers_differ(first: tuple[Call, ...], second: tuple[Call, ...]) -> bool:
    """The environment itself answered one question in two ways (a clock, a new id): not the tool's doing."""
    for one, other in zip(first, second, strict=False):
        if calls_difference([one], [other]):
            return False
        if not same(one.result, other.result) or (one.error is None) != (other.error is None):
            return True
    return False


def _raised_kinds(source: str) -> frozenset[str]:
    """Return the error classes that the source raises by name: its author says that it may end so."""
    kinds: set[object] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id="FunctionError"), keywords=keywords)):
                named = [item.value for item in keywords if item.arg == "kind"]
                kinds |= {item.value for item in named if isinstance(item, ast.Constant)} or {"FunctionError"}
            case ast.Raise(exc=ast.Name(id=kind) | ast.Call(func=ast.Name(id=kind))):
                kinds.add(kind)
    return frozenset(kind for kind in kinds if isinstance(kind, str))


def _took_first_of_nothing(failure: Failure, outcome: Outcome) -> bool:
    return failure.kind == "IndexError" and any(_holds_nothing(call.result) for call in outcome.calls)


def _holds_nothing(value: Json) -> bool:
    """Return whether an answer holds an empty list."""
    if isinstance(value, list):
        return not value or any(_holds_nothing(item) for item in value)
    return isinstance(value, dict) and any(_holds_nothing(item) for item in value.values())


def _shape(value: Json) -> str:
    """Return the form of a value: types, keys and whether lists are empty, without the values themselves."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_shape(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted({_shape(item) for item in value})) + "]"
    return type(value).__name__
