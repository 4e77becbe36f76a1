"""Tools that remember: two calls in one process must come out as each does in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.running.bench import Bench, Benches, Unsupported
from nucleate_codifier.admission.running.compare import ending, told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Environment, FunctionSpec, Json, JsonObject

MAX_PAIRS = 3
# Names that no tool has: the policy forbids them.
TWICE = """

_nucleate_twice_one = {name}


def {name}(**given):
    try:
        _nucleate_twice_one(**{first!r})
    except Exception:
        pass
    return _nucleate_twice_one(**given)
"""


class _InTurn:
    """The world of a first call until it has made its calls, and from then on another one's."""

    def __init__(self, first: Environment, then: Environment, calls: int) -> None:
        self._first = first
        self._then = then
        self._left = calls

    @property
    def name(self) -> str:
        return self._then.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._then.functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Ask the world whose turn it is."""
        self._left -= 1
        return (self._first if self._left >= 0 else self._then).call(name, arguments)

    def fork(self) -> Environment:
        """Fork the one of the second call."""
        return self._then.fork()


@dataclass(frozen=True, kw_only=True)
class _Pair:
    before: Ran
    then: Ran


def check_memory(benches: Benches, subject: Subject, met: Sequence[Ran]) -> list[Finding]:
    """Call the tool for two runs in one process; return a finding where the second comes out otherwise than alone."""
    pairs = [_Pair(before=met[at - 1], then=met[at]) for at in range(min(len(met), MAX_PAIRS))]
    told = benches.each(lambda bench, pair: _remembers(bench, subject.candidate.name, pair), pairs)
    return [_finding(pair, reason) for pair, reason in zip(pairs, told, strict=True) if reason is not None][:1]


def _remembers(bench: Bench, name: str, pair: _Pair) -> str | None:
    first = pair.before.ground.example.arguments
    source = bench.module.source.rstrip() + TWICE.format(name=name, first=first)
    made = len(pair.before.outcome.calls)
    world = _InTurn(pair.before.ground.world(), pair.then.ground.world(), made)
    try:
        twice = bench.call(pair.then.ground.example.arguments, world, module=replace(bench.module, source=source))
    except Unsupported:
        return None  # what this sandbox cannot say of two calls, the one with a boundary will
    alone = pair.then.outcome
    if told_apart(pair.before.outcome, replace(pair.before.outcome, calls=twice.calls[:made])) is not None:
        return f"its first call made {len(twice.calls)} calls"
    later = replace(twice, calls=twice.calls[made:])
    apart = told_apart(alone, later)
    return (
        None
        if apart is None
        else (f"alone it {ending(alone)}, then it {ending(later)}" if ending(alone) != ending(later) else apart)
    )


def _finding(pair: _Pair, reason: str) -> Finding:
    return Finding(
        rule="tests/remembers",
        message=f"called after task {pair.before.example.task_id!r} in one process, "
        f"task {pair.then.example.task_id!r} comes out otherwise: {reason}",
        fix="keep nothing between calls: no value of the module, a default or a closure may be written into",
    )
