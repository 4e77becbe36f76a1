"""The report as workflow commands: each finding becomes an annotation at its line of a pull request."""

from __future__ import annotations

from nucleate_codifier.repository.project_values import JudgedTool
from nucleate_codifier.repository.reports.junit_report import PROVISIONAL
from nucleate_codifier.repository.reports.report import FindingPlace, RepositoryReport, places, visible
from nucleate_codifier.values import Decision


def as_github(report: RepositoryReport) -> str:
    """Return one command on each line, and the counts at the end."""
    lines = [_finding(place) for item in report.judged for place in places(item)]
    lines += [_provisional(item) for item in report.judged if item.verdict.decision is Decision.PROVISIONAL]
    counts = ", ".join(f"{count} {decision}" for decision, count in report.counts.items()) or "nothing to judge"
    lines.append(f"::notice title=nucleate admit::{counts}")
    return "".join(f"{line}\n" for line in lines)


def _finding(place: FindingPlace) -> str:
    level = "error" if place.is_refusal else "warning"
    fix = f"%0Afix: {_data(place.finding.fix)}" if place.finding.fix else ""
    at = f"file={_property(place.judged.tool.path)},line={place.line},title={_property(place.finding.rule)}"
    return f"::{level} {at}::{_data(place.finding.message)}{fix}"


def _provisional(item: JudgedTool) -> str:
    return f"::warning file={_property(item.tool.path)},title=provisional::{PROVISIONAL}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
