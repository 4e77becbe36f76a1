"""The report as SARIF 2.1.0, for code scanning: rules from the rulebook, results at their lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from urllib.parse import quote

from nucleate_codifier.repository.reports.report import FindingPlace, RepositoryReport, places
from nucleate_codifier.rulebook import RULES, Rule
from nucleate_codifier.values import Decision
from nucleate_sandbox import Json, JsonObject

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(report: RepositoryReport) -> str:
    """Return the log as JSON. It holds no time, so equal input gives equal bytes."""
    found = [place for item in report.judged for place in places(item)]
    refused = [place for place in found if place.is_refusal]
    ids = sorted({place.finding.rule for place in found})
    run: JsonObject = {
        "tool": {"driver": {"name": "nucleate", "version": report.version, "rules": [_rule(key) for key in ids]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, [place for place in found if not place.is_refusal])],
        "results": [_result(place, ids.index(place.finding.rule)) for place in refused],
    }
    log: JsonObject = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(key: str) -> JsonObject:
    rule = RULES.get(key)
    return {"id": key, "defaultConfiguration": {"level": "error"}, **(_words(rule) if rule else {})}


def _words(rule: Rule) -> JsonObject:
    return {
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {
            "text": f"{rule.what}\nWhy: {rule.why}\nFix: {rule.fix}\n\nRefused:\n{rule.bad}\nInstead:\n{rule.good}"
        },
    }


def _result(place: FindingPlace, index: int) -> JsonObject:
    finding = place.finding
    fix = f" Fix: {finding.fix}." if finding.fix else ""
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": f"{finding.message}.{fix}"},
        "locations": [_location(place)],
        "partialFingerprints": {"nucleate/v1": _fingerprint(place)},
    }


def _location(place: FindingPlace) -> JsonObject:
    region: JsonObject = {"startLine": place.line}
    if place.excerpt:
        region["snippet"] = {"text": place.excerpt}
    artifact: JsonObject = {"uri": quote(place.judged.tool.path, errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _invocation(report: RepositoryReport, unjudged: Iterable[FindingPlace]) -> JsonObject:
    """An outage is no result about the code: it is told as what happened to the tool that scans."""
    notifications: list[Json] = [_notification(place) for place in unjudged]
    judged = report.decision in (Decision.ADMITTED, Decision.REJECTED) and not notifications
    return {"executionSuccessful": judged, "toolExecutionNotifications": notifications}


def _notification(place: FindingPlace) -> JsonObject:
    text = f"{place.judged.tool.path}: {place.finding.rule}: {place.finding.message}"
    return {"level": "error", "message": {"text": text}, "locations": [_location(place)]}


def _fingerprint(place: FindingPlace) -> str:
    """Return what stays the same while lines move."""
    parts = (place.judged.tool.path, place.finding.rule, place.finding.message, place.excerpt)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
