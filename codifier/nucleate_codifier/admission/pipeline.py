"""Runs the gates side by side where they may, and says how each ended: passed, refused, or not judged.

The order of reports is the order of the gates, whichever ends first.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable

from nucleate_codifier.admission.gate_seconds import GateRun
from nucleate_codifier.admission.running.bench import GateTimeout, Unsupported
from nucleate_codifier.admission.subject import GateFunction, GateOutage, GateResult, Subject
from nucleate_codifier.gates import NEEDS, Gate
from nucleate_codifier.values import Finding, GateReport, Status
from nucleate_sandbox import SandboxError

OnGate = Callable[[GateReport], None]


def run_gates(
    subject: Subject, gates: Iterable[tuple[Gate, GateFunction]], on_gate: OnGate | None
) -> tuple[GateReport, ...]:
    """Run each gate as soon as those that it needs have passed; report each in order as soon as it is there."""
    round_ = _Round(subject, on_gate)
    for gate, function in gates:
        round_.start(gate, function)
    return round_.finish()


class _Round:
    """The gates of one admission that are at work or done, in order."""

    def __init__(self, subject: Subject, on_gate: OnGate | None) -> None:
        self._subject = subject
        self._tell = on_gate or (lambda _: None)
        self._gates: list[tuple[Gate, GateRun | GateReport]] = []
        self._told = 0

    def start(self, gate: Gate, function: GateFunction) -> None:
        """Begin with a gate once those that it needs have ended; one that did not pass closes it."""
        needed = [item for known, item in self._gates if known in NEEDS[gate]]
        closed = any(_report_of(item).status is not Status.PASSED for item in needed)
        skipped = GateReport(gate=gate, status=Status.SKIPPED)
        self._gates.append((gate, skipped if closed else start(self._subject, gate, function)))
        self._tell_those_done()

    def finish(self) -> tuple[GateReport, ...]:
        """Wait for every gate."""
        reports = []
        for _, item in self._gates:
            reports.append(_report_of(item))
            self._tell_those_done()
        return tuple(reports)

    def _tell_those_done(self) -> None:
        while self._told < len(self._gates):
            item = self._gates[self._told][1]
            if isinstance(item, GateRun) and not item.done:
                return
            self._told += 1
            self._tell(_report_of(item))


def start(subject: Subject, gate: Gate, function: GateFunction) -> GateRun:
    """Begin with one gate; an outage, a construct that the sandbox lacks and a gate out of time never pass."""
    return GateRun(
        lambda: _judge(subject, gate, function),
        name=gate.value,
        seconds=subject.policy.seconds(gate),
        late=lambda: _timeout(subject, gate),
    )


def _report_of(item: GateRun | GateReport) -> GateReport:
    return item.report if isinstance(item, GateRun) else item


def _judge(subject: Subject, gate: Gate, function: GateFunction) -> GateReport:
    try:
        result = function(subject)
    except GateTimeout:
        return _timeout(subject, gate)
    except Unsupported as lack:
        return _unjudged(gate, _needs_docker(subject, gate, lack))
    except (SandboxError, GateOutage) as outage:
        return _unjudged(gate, _outage(gate, outage))
    except BaseException as fault:  # noqa: BLE001 - a gate that breaks on a hostile source must not end the judge
        return _unjudged(gate, _fault(gate, fault))
    return _report(gate, result)


def _report(gate: Gate, result: GateResult) -> GateReport:
    status = Status.REFUSED if result.findings else Status.PASSED
    return GateReport(gate=gate, status=status, findings=result.findings, counts=result.counts)


def _unjudged(gate: Gate, finding: Finding) -> GateReport:
    return GateReport(gate=gate, status=Status.UNJUDGED, findings=(finding,))


def _outage(gate: Gate, outage: Exception) -> Finding:
    return Finding(
        rule=f"{gate.value}/outage",
        message=f"an outage, nothing is known about the candidate: {type(outage).__name__}: {outage}",
        fix="repair what the message names, then ask again",
    )


def _fault(gate: Gate, fault: BaseException) -> Finding:
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{last.filename.rpartition('/')[2]}, line {last.lineno}"
    return Finding(
        rule=f"{gate.value}/fault",
        message=f"the gate itself broke, nothing is known about the candidate: {type(fault).__name__}: "
        f"{str(fault)[:200]} ({where})",
        fix="this is a bug of the gate, not of the tool: report it with the candidate's source",
    )


def _needs_docker(subject: Subject, gate: Gate, lack: Unsupported) -> Finding:
    return Finding(
        rule=f"{gate.value}/needs-docker",
        message=f"the sandbox {subject.sandbox.name!r} cannot run this: {lack}",
        fix="start Docker and ask again; nucleate doctor says what is missing",
    )


def _timeout(subject: Subject, gate: Gate) -> GateReport:
    finding = Finding(
        rule=f"{gate.value}/timeout",
        message=f"the gate needed more than {subject.policy.seconds(gate):g} s",
        fix="make the tool faster or smaller, or raise the gate's seconds in the policy",
    )
    return GateReport(gate=gate, status=Status.REFUSED, findings=(finding,))
