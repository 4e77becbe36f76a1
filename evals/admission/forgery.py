"""Every kind of verdict forgery as a candidate: judged by all gates, and again with the static gates switched off."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.progress import track

from nucleate_codifier import Decision, Verdict
from nucleate_codifier.admission.admit import judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.gates import DYNAMIC
from nucleate_sandbox import Sandbox
from tests.codifier import forgeries
from tests.codifier.shop import POLICY, subject

KINDS: Mapping[str, Mapping[str, str]] = {
    "leaves early or skips": forgeries.EXITS,
    "patches the runner": forgeries.RUNNERS,
    "is equal to everything": forgeries.EQUALS,
    "forges frames": forgeries.FRAMES,
    "reads or smuggles files": forgeries.READING,
    "looks whether it is tested": forgeries.DEALERS,
    "remembers the inputs": forgeries.MEMORIES,
    "brings a forged suite": forgeries.SUITES,
}
UNGUARDED = tuple((gate, function) for gate, function in GATES if gate in DYNAMIC)
BRIEF = replace(POLICY, property_examples=4)
MAX_SECONDS = 240.0


@dataclass(frozen=True, kw_only=True)
class Forged:
    """One forgery with the verdict of all gates, and that of the dynamic gates alone."""

    kind: str
    name: str
    guarded: Verdict
    unguarded: Verdict

    @property
    def admitted(self) -> bool:
        """True where either of the two let it pass, or could not say."""
        return any(item.decision is not Decision.REJECTED for item in (self.guarded, self.unguarded))


@dataclass(frozen=True, kw_only=True)
class Forgeries:
    """What became of them; `left_out` were not judged for want of time."""

    judged: tuple[Forged, ...]
    left_out: int

    @property
    def admitted(self) -> Sequence[Forged]:
        """Return those that were not refused."""
        return [item for item in self.judged if item.admitted]

    def refused_by(self, kind: str, *, guarded: bool) -> Counter[str]:
        """Return which gate was the first to refuse the forgeries of a kind, and how many."""
        verdicts = [item.guarded if guarded else item.unguarded for item in self.judged if item.kind == kind]
        return Counter(_first_gate(verdict) for verdict in verdicts)


def measure(sandbox: Sandbox, *, seconds: float = MAX_SECONDS) -> Forgeries:
    """Judge the forgeries until the seconds are used up."""
    everything = [*_all()]
    until = time.monotonic() + seconds
    judged = []
    for kind, name, text in track(everything, description="forgeries"):
        if time.monotonic() > until:
            break
        judged.append(_judge(kind, name, text, sandbox))
    return Forgeries(judged=tuple(judged), left_out=len(everything) - len(judged))


def _all() -> Iterator[tuple[str, str, str]]:
    for kind, table in KINDS.items():
        yield from ((kind, name, text) for name, text in table.items())


def _judge(kind: str, name: str, text: str, sandbox: Sandbox) -> Forged:
    suite = KINDS[kind] is forgeries.SUITES
    given = (
        subject(sandbox=sandbox, policy=BRIEF, tests={"test_it.py": text})
        if suite
        else subject(text, sandbox=sandbox, policy=BRIEF)
    )
    return Forged(kind=kind, name=name, guarded=judge(given, GATES), unguarded=judge(given, UNGUARDED))


def _first_gate(verdict: Verdict) -> str:
    return next((finding.rule.partition("/")[0] for finding in verdict.findings), "none")
