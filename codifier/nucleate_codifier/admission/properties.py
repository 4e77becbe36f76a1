"""Properties that hold for every tool, tried on arguments that Hypothesis makes from the signature."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from nucleate_codifier.admission.bench import Bench
from nucleate_codifier.admission.compare import shown
from nucleate_codifier.admission.examples import recording
from nucleate_codifier.admission.rules import Rules
from nucleate_codifier.admission.strategies import Strategy, arguments
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Environment, FunctionError, Json, JsonObject, canonical
from nucleate_tool_library import read_signature

MAX_SHRINKS = 60
MAX_HINTS = 60
MAX_HINT = 40

FIXES = {
    "limit": "bound every loop and every page walk",
    "crash": "handle what the environment may answer, or raise ValueError with the reason",
    "wrong-type": "return what the annotation promises on every path",
    "outside-manifest": "call only functions that the source names as `env.namespace.function`",
    "hidden-write": "the recorded runs only read: leave the writing out",
    "not-deterministic": "use no random source, clock, address or set order",
}


class _Enough(BaseException):  # Hypothesis shrinks every Exception; this one has to pass through it
    pass


@dataclass(kw_only=True)
class _Trial:
    """What came of one round of generated arguments."""

    check: Callable[[JsonObject], tuple[str, str] | None]
    ran: int = 0
    failed: dict[str, tuple[JsonObject, str]] = field(default_factory=dict)
    error: Exception | None = None
    shrinks: int = 0

    def one(self, values: JsonObject) -> None:
        """Check one argument object; keep the smallest that breaks each rule."""
        try:
            broken = self.check(values)
        except Exception as error:  # an outage or a time-out must not be shrunk, and not be taken for a failure
            self.error = error
            raise _Enough from error
        self.ran += not self.failed
        if self.failed:
            self.shrinks += 1
        if broken is not None:
            self._keep(broken[0], values, broken[1])
        if self.shrinks > MAX_SHRINKS or "limit" in self.failed:
            raise _Enough
        assert broken is None

    def _keep(self, rule: str, values: JsonObject, reason: str) -> None:
        known = self.failed.get(rule)
        if known is None or len(canonical(values)) < len(canonical(known[0])):
            self.failed[rule] = (values, reason)


def check_properties(bench: Bench, subject: Subject) -> tuple[list[Finding], int]:
    """Try the properties on the recording, and on forks of the live environment where there is one."""
    signature = read_signature(subject.candidate.source, subject.candidate.name)
    rules = Rules(subject, signature.returns)
    recorded = [example.arguments for example in subject.evidence.seen]
    strategy = arguments(signature.parameters, recorded, _hints(subject.candidate.source))
    findings, ran = [], 0
    for world in _worlds(subject):
        trial = _Trial(check=lambda values, world=world: rules.broken(bench, values, world))  # type: ignore[misc]
        _generate(subject, strategy, trial)
        findings += [_finding(rule, values, reason) for rule, (values, reason) in trial.failed.items()]
        ran += trial.ran
    return findings, ran


def _hints(source: str) -> list[Json]:
    """Return the literals of the source, and the neighbours of its numbers: where a hidden branch would begin."""
    hints: list[Json] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str() as text) if len(text) <= MAX_HINT:
                hints.append(text)
            case ast.Constant(value=int() | float() as number):
                hints += [number - 1, number, number + 1]
    return hints[:MAX_HINTS]


def _worlds(subject: Subject) -> list[Callable[[], Environment]]:
    worlds: list[Callable[[], Environment]] = [lambda: recording(subject, subject.evidence.seen)]
    live = subject.environment.live
    if live is not None:
        try:
            start = live.fork()
        except FunctionError:  # it cannot be forked, and the original is not ours to change
            return worlds
        worlds.append(start.fork)
    return worlds


def _generate(subject: Subject, strategy: Strategy, trial: _Trial) -> None:
    configured = settings(
        max_examples=subject.policy.property_examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
    try:
        configured(given(strategy)(trial.one))()
    except (_Enough, Exception):
        # The trial holds what broke, whatever Hypothesis makes of it.
        if trial.error is not None:
            raise trial.error from None
        if not trial.failed:
            raise


def _finding(rule: str, values: JsonObject, reason: str) -> Finding:
    return Finding(rule=f"tests/{rule}", message=f"with {shown(values)}: {reason}", fix=FIXES[rule])
