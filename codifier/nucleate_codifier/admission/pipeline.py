"""Runs one gate and says how it ended: passed, refused, or not judged because the machine failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from nucleate_codifier.admission.bench import GateTimeout, Unsupported
from nucleate_codifier.admission.subject import GateFunction, GateOutage, GateResult, Subject
from nucleate_codifier.values import Finding, Gate, GateReport, Status
from nucleate_sandbox import SandboxError

# What has to pass before anything of the candidate runs, even in a sandbox.
STATIC = frozenset({Gate.PARSE, Gate.POLICY, Gate.CLOSURE, Gate.TYPES, Gate.SAFETY})
DYNAMIC = frozenset({Gate.COMPILE, Gate.TESTS, Gate.REPLAY})

OnGate = Callable[[GateReport], None]


def run_gates(
    subject: Subject, gates: Iterable[tuple[Gate, GateFunction]], on_gate: OnGate | None
) -> tuple[GateReport, ...]:
    """Run each gate that may run; report each as it ends."""
    reports: list[GateReport] = []
    for gate, function in gates:
        skipped = _is_closed(gate, reports)
        report = GateReport(gate=gate, status=Status.SKIPPED) if skipped else run_gate(subject, gate, function)
        reports.append(report)
        if on_gate is not None:
            on_gate(report)
    return tuple(reports)


def _is_closed(gate: Gate, reports: Iterable[GateReport]) -> bool:
    """What does not parse gives the other gates nothing to look at; what a static gate refused must not run."""
    closed = {report.gate for report in reports if report.status is not Status.PASSED}
    return Gate.PARSE in closed or (gate in DYNAMIC and bool(closed & STATIC))


def run_gate(subject: Subject, gate: Gate, function: GateFunction) -> GateReport:
    """Run one gate; an outage, a construct that the sandbox lacks and a gate out of time never pass."""
    began = time.monotonic()
    report = _judge(subject, gate, function)
    seconds = time.monotonic() - began
    if seconds > subject.policy.gate_seconds and report.status is Status.PASSED:
        report = _timeout(subject, gate)
    return replace(report, milliseconds=seconds * 1000)


def _judge(subject: Subject, gate: Gate, function: GateFunction) -> GateReport:
    try:
        result = function(subject)
    except GateTimeout:
        return _timeout(subject, gate)
    except Unsupported as lack:
        return _unjudged(gate, _needs_docker(subject, gate, lack))
    except (SandboxError, GateOutage) as outage:
        return _unjudged(gate, _outage(gate, outage))
    except Exception as fault:  # noqa: BLE001 - a gate that breaks on a hostile source must not end the judge
        return _unjudged(gate, _outage(gate, fault))
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


def _needs_docker(subject: Subject, gate: Gate, lack: Unsupported) -> Finding:
    return Finding(
        rule=f"{gate.value}/needs-docker",
        message=f"the sandbox {subject.sandbox.name!r} cannot run this: {lack}",
        fix="start Docker and ask again; nucleate doctor says what is missing",
    )


def _timeout(subject: Subject, gate: Gate) -> GateReport:
    finding = Finding(
        rule=f"{gate.value}/timeout",
        message=f"the gate needed more than {subject.policy.gate_seconds:g} s",
        fix="make the tool faster or smaller, or raise gate_seconds in the policy",
    )
    return GateReport(gate=gate, status=Status.REFUSED, findings=(finding,))
