"""Turns recurring plans into candidate tools, and judges candidates."""

from nucleate_codifier.admission.admit import admit
from nucleate_codifier.admission.verdict_json import verdict_json
from nucleate_codifier.recurrence import Buffer, Recurrence
from nucleate_codifier.trace import Codified, Refusal, Template, codify, rewrite
from nucleate_codifier.values import (
    AdmissionPolicy,
    Candidate,
    Decision,
    EnvironmentView,
    Evidence,
    Example,
    Finding,
    Gate,
    GateReport,
    LibraryView,
    Status,
    Verdict,
)
from nucleate_codifier.verdicts import Judgement, Verdicts, refusal_verdict

__all__ = [
    "AdmissionPolicy",
    "Buffer",
    "Candidate",
    "Codified",
    "Decision",
    "EnvironmentView",
    "Evidence",
    "Example",
    "Finding",
    "Gate",
    "GateReport",
    "Judgement",
    "LibraryView",
    "Recurrence",
    "Refusal",
    "Status",
    "Template",
    "Verdict",
    "Verdicts",
    "admit",
    "codify",
    "refusal_verdict",
    "rewrite",
    "verdict_json",
]
