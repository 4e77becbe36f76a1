"""Judging once: a verdict that was reached on equal grounds is taken from memory, and an outage never is."""

from __future__ import annotations

from typing import Protocol

from nucleate_codifier.admission.admit import admit_subject
from nucleate_codifier.admission.fingerprint import fingerprint
from nucleate_codifier.admission.pipeline import OnGate
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Candidate, Verdict


class VerdictMemory(Protocol):
    """Where verdicts are kept by the hash of what they depended on."""

    def find(self, depends_on: str) -> Verdict | None: ...
    def add(self, candidate: Candidate, verdict: Verdict) -> None: ...


def admit_once(subject: Subject, *, memory: VerdictMemory, on_gate: OnGate | None = None) -> Verdict:
    """Return the remembered verdict, or judge and remember; `on_gate` hears every gate's report either way."""
    known = memory.find(fingerprint(subject))
    if known is None:
        verdict = admit_subject(subject, on_gate)
        memory.add(subject.candidate, verdict)
        return verdict
    for report in known.gates:
        if on_gate is not None:
            on_gate(report)
    return known
