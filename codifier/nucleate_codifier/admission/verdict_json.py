"""A verdict as JSON: for storing, showing and comparing. Times stand in a block of their own, at the end."""

from __future__ import annotations

from typing import cast

from pydantic import TypeAdapter

from nucleate_codifier.values import Finding, GateReport, Verdict
from nucleate_sandbox import Json, JsonObject

_VERDICT = TypeAdapter(Verdict)


def verdict_json(verdict: Verdict) -> JsonObject:
    """Return the verdict with every gate, finding and count; equal but for `times` when the grounds are equal."""
    return {
        "candidate": verdict.candidate,
        "decision": verdict.decision.value,
        "depends_on": verdict.depends_on,
        "gates": [_gate(report) for report in verdict.gates],
        "capabilities": list(verdict.capabilities),
        "dependencies": list(verdict.dependencies),
        "times": {report.gate.value: round(report.milliseconds, 1) for report in verdict.gates},
    }


def read_verdict(value: JsonObject) -> Verdict:
    """Return the verdict that `verdict_json` wrote; raise ValueError for anything else."""
    times = value.get("times")
    known = times if isinstance(times, dict) else {}
    gates = cast("list[JsonObject]", value.get("gates"))
    timed: list[Json] = [{**gate, "milliseconds": known.get(str(gate["gate"]), 0.0)} for gate in gates or ()]
    return _VERDICT.validate_python({**value, "gates": timed})


def _gate(report: GateReport) -> JsonObject:
    return {
        "gate": report.gate.value,
        "status": report.status.value,
        "findings": [_finding(finding) for finding in report.findings],
        "counts": dict(report.counts),
    }


def _finding(finding: Finding) -> JsonObject:
    return {"rule": finding.rule, "message": finding.message, "line": finding.line, "fix": finding.fix}
