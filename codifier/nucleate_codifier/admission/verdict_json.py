"""A verdict as JSON: for storing, showing and comparing."""

from __future__ import annotations

from nucleate_codifier.values import Finding, GateReport, Verdict
from nucleate_sandbox import JsonObject


def verdict_json(verdict: Verdict) -> JsonObject:
    """Return the verdict with every gate, finding and count."""
    return {
        "candidate": verdict.candidate,
        "decision": verdict.decision.value,
        "gates": [_gate(report) for report in verdict.gates],
        "capabilities": list(verdict.capabilities),
        "dependencies": list(verdict.dependencies),
    }


def _gate(report: GateReport) -> JsonObject:
    return {
        "gate": report.gate.value,
        "status": report.status.value,
        "findings": [_finding(finding) for finding in report.findings],
        "counts": dict(report.counts),
        "milliseconds": round(report.milliseconds, 1),
    }


def _finding(finding: Finding) -> JsonObject:
    return {"rule": finding.rule, "message": finding.message, "line": finding.line, "fix": finding.fix}
