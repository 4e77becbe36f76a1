"""What a tool does when the environment fails in a way that no recorded run has shown, and no schema declares.

It must not return as if nothing were; and after a first write, an error of its own must say what was done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.running.bench import Bench, Benches
from nucleate_codifier.admission.running.compare import is_read
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Call, Environment, FunctionError, FunctionSpec, Json, JsonObject, Outcome
from nucleate_text_memory.origins import leaves, telling

MAX_EXAMPLES, MAX_TURNS, MAX_FAILURES = 5, 3, 24
MESSAGE = "it does not answer just now"  # holds no word by which an error could seem to say what was done
KINDS = ("Unavailable", "TooManyRequests", "InternalError", "ConnectionLost", "Overloaded", "Refused")
_IRREGULAR = {"send": "sent", "make": "made", "pay": "paid", "buy": "bought", "write": "wr", "give": "g", "put": "put"}
_DENIES = re.compile(r"\b(?:nothing|not changed|no change|unchanged|as it was|as they were)\b", re.IGNORECASE)
MIN_STEM, MAX_VALUE = 4, 60  # characters


class Failing:
    """An environment of which one call fails, by its number from 0."""

    def __init__(self, inner: Environment, turn: int, kind: str) -> None:
        self._inner = inner
        self._turn = turn
        self._kind = kind
        self.failed = False

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._inner.functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the inner answer, or fail at this one's turn."""
        self._turn -= 1
        if self._turn == -1:
            self.failed = True
            raise FunctionError(MESSAGE, kind=self._kind)
        return self._inner.call(name, arguments)

    def fork(self) -> Environment:
        """Fork the inner environment, with as many calls left until one fails."""
        return Failing(self._inner.fork(), self._turn, self._kind)


@dataclass(frozen=True, kw_only=True)
class _Failure:
    """One call of one example, which is to fail."""

    ran: Ran
    turn: int
    call: Call


@dataclass(frozen=True, kw_only=True)
class _Tried:
    failure: _Failure
    outcome: Outcome
    failed: bool


def check_failing(benches: Benches, subject: Subject, met: Sequence[Ran]) -> tuple[list[Finding], int]:
    """Let calls of the examples fail one at a time; return the findings, and how many failures the tool let pass."""
    kind = unforeseen(subject)
    tried = [
        item
        for item in benches.each(lambda bench, one: _try(bench, one, kind), [*_failures(subject, met)])
        if item.failed
    ]
    findings: dict[str, Finding] = {}
    for item in tried:
        name = item.failure.call.function
        if item.outcome.ok:
            findings.setdefault(f"swallowed {name}", _swallowed(name, kind))
            continue
        done = [
            call
            for call in item.outcome.calls
            if call.error is None and not is_read(call, subject.environment.functions)
        ]
        own = item.outcome.failure is not None and MESSAGE not in item.outcome.failure.message
        if done and (own or _is_own(item.outcome, kind)) and not says(item.outcome, done):
            findings.setdefault("half done", _half_done(name, done[0], item.outcome))
    return [*findings.values()], sum(not item.outcome.ok for item in tried)


def unforeseen(subject: Subject) -> str:
    """Return a kind of error that neither a run nor the source nor a function's description names."""
    shown = {call.error.kind for one in subject.evidence.seen for call in one.calls if call.error is not None}
    said = " ".join([subject.candidate.source, *(spec.doc for spec in subject.environment.functions.values())])
    return next((kind for kind in KINDS if kind not in shown and kind not in said), "Unforeseen")


def says(outcome: Outcome, done: Sequence[Call]) -> bool:
    """Return whether an error names a write that was made, by its verb or a value of it, and does not deny it."""
    text = outcome.failure.message if outcome.failure is not None else ""
    if _DENIES.search(text):
        return False
    return any(_names(text.casefold(), call) for call in done)


def _names(text: str, call: Call) -> bool:
    verb = re.split(r"[_\W]", call.function.rpartition(".")[2])[0].casefold()
    stems = [verb[: max(MIN_STEM, len(verb) - 1)], *([_IRREGULAR[verb]] if verb in _IRREGULAR else [])]
    told = any(re.search(rf"\b{re.escape(stem)}", text) for stem in stems)
    result = {str(leaf).casefold() for leaf in leaves(call.result) if telling(leaf)}
    return told or any(re.search(rf"\b{re.escape(value)}\b", text) for value in result if len(value) <= MAX_VALUE)


def _failures(subject: Subject, met: Sequence[Ran]) -> Iterator[_Failure]:
    """Yield the first few calls of each function, before and after a write, each once."""
    seen: set[tuple[str, int, bool]] = set()
    for ran in met[:MAX_EXAMPLES]:
        written, turns = False, dict[str, int]()
        for turn, call in enumerate(ran.outcome.calls):
            turns[call.function] = turns.get(call.function, 0) + 1
            key = (call.function, turns[call.function], written)
            if (
                call.error is None
                and turns[call.function] <= MAX_TURNS
                and key not in seen
                and len(seen) < MAX_FAILURES
            ):
                seen.add(key)
                yield _Failure(ran=ran, turn=turn, call=call)
            written = written or (call.error is None and not is_read(call, subject.environment.functions))


def _try(bench: Bench, one: _Failure, kind: str) -> _Tried:
    world = Failing(one.ran.ground.world(), one.turn, kind)
    outcome = run(bench, one.ran.ground, world=world)
    return _Tried(failure=one, outcome=outcome, failed=world.failed)


def _is_own(outcome: Outcome, kind: str) -> bool:
    return outcome.failure is not None and outcome.failure.kind != kind


def _swallowed(name: str, kind: str) -> Finding:
    return Finding(
        rule="tests/swallows-errors",
        message=f"when {name!r} fails with {kind!r}, which no run has shown, the tool returns as if it had not",
        fix='let the error pass, or catch the one that you expect (`if error.kind != "NotFound": raise`)',
    )


def _half_done(name: str, done: Call, outcome: Outcome) -> Finding:
    return Finding(
        rule="tests/half-done",
        message=f"when {name!r} fails after {done.function!r} has succeeded, the error is "
        f"{str(outcome.error)[:120]!r}: it does not say what was done",
        fix="let the environment's error pass (whoever called is then told what was done), or say so in your own",
    )
