"""The report as JSON: equal input gives equal bytes, but for `times`, which come last."""

from __future__ import annotations

import json

from nucleate_codifier.admission.verdict_json import verdict_json
from nucleate_codifier.repository.project_values import JudgedTool
from nucleate_codifier.repository.reports.report import RepositoryReport
from nucleate_sandbox import Json, JsonObject


def as_json(report: RepositoryReport) -> str:
    """Return one object, indented, with a line feed at its end."""
    value: JsonObject = {
        "nucleate": report.version,
        "decision": report.decision.value,
        "counts": dict[str, Json](report.counts),
        "tools": [_tool(item) for item in report.judged],
        "times": {
            "seconds": round(report.seconds, 3),
            "tools": {item.tool.path: _times(item) for item in report.judged},
        },
    }
    return json.dumps(value, indent=2) + "\n"


def _tool(item: JudgedTool) -> JsonObject:
    verdict = verdict_json(item.verdict)
    return {
        "path": item.tool.path,
        "name": item.tool.name,
        "environment": item.tool.candidate.scope,
        **{key: verdict[key] for key in ("decision", "depends_on", "gates", "capabilities")},
        "dependencies": list[Json](item.dependencies),
    }


def _times(item: JudgedTool) -> JsonObject:
    gates = verdict_json(item.verdict)["times"]
    return {"cached": item.cached, "seconds": round(item.milliseconds / 1000, 3), "gates": gates}
