"""Admission: all gates in order, every reason collected, closed on every doubt (Metis §3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.admission.fingerprint import fingerprint
from nucleate_codifier.admission.pipeline import OnGate, run_gates
from nucleate_codifier.admission.reading.references import capabilities_of, dependencies_of
from nucleate_codifier.admission.subject import GateFunction, Subject
from nucleate_codifier.values import (
    AdmissionPolicy,
    Candidate,
    Decision,
    EnvironmentView,
    Evidence,
    Gate,
    GateReport,
    LibraryView,
    Status,
    Verdict,
)
from nucleate_sandbox import Sandbox


def admit(
    candidate: Candidate,
    *,
    library: LibraryView,
    environment: EnvironmentView,
    sandbox: Sandbox,
    evidence: Evidence,
    policy: AdmissionPolicy,
    on_gate: OnGate | None = None,
) -> Verdict:
    """Judge a candidate; `on_gate` hears each gate's report as soon as it is there."""
    subject = Subject(
        candidate=candidate,
        library=library,
        environment=environment,
        sandbox=sandbox,
        evidence=evidence,
        policy=policy,
    )
    return admit_subject(subject, on_gate)


def admit_subject(subject: Subject, on_gate: OnGate | None = None) -> Verdict:
    """Put a subject through all gates."""
    from nucleate_codifier.admission.gate_functions import (
        GATES,  # what they stand on is slow to import: where a tool is judged
    )

    return judge(subject, GATES, on_gate)


def judge(subject: Subject, gates: Sequence[tuple[Gate, GateFunction]], on_gate: OnGate | None = None) -> Verdict:
    """Put a subject through these gates; a gate that did not pass is a no, whatever the reason."""
    reports = run_gates(subject, gates, on_gate)
    known = all(report.status is Status.PASSED for report in reports if report.gate is Gate.PARSE)
    return Verdict(
        candidate=subject.candidate.name,
        decision=_decide(reports, final=subject.sandbox.final),
        gates=reports,
        capabilities=capabilities_of(subject) if known else (),
        dependencies=dependencies_of(subject) if known else (),
        depends_on=fingerprint(subject),
    )


def _decide(reports: Sequence[GateReport], *, final: bool) -> Decision:
    statuses = {report.status for report in reports}
    if Status.REFUSED in statuses:
        return Decision.REJECTED
    if statuses != {Status.PASSED}:
        return Decision.UNJUDGED
    return Decision.ADMITTED if final else Decision.PROVISIONAL
