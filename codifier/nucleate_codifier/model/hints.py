"""Findings as the model may read them: what a gate says of the source, never what was recorded or answered."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.gates import OPEN
from nucleate_codifier.model.judging import UNCONFIRMED, JudgedHelper
from nucleate_codifier.values import Finding

# These speak of the candidate's text alone. Messages of all other rules can hold recorded values, and are kept back.
OPEN_RULES = frozenset(
    {
        "generality/constant-parameters",
        "generality/near-duplicate",
        "generality/query-literal",
        "generality/same-behaviour",
        "generality/same-words",
        "generality/too-few-queries",
        "generality/unused-parameter",
        "model/cycle",
        "model/name-taken",
        "model/needs-refused",
        "model/one-call",
        "model/same-name",
        "model/too-few-queries",
        "model/uncovered-parameter",
        "model/unknown-parameter",
        "model/unknown-query",
        "replay/no-held-out-evidence",
        "tests/mutants-survive",
        "tests/tests-missing",
        "tests/too-few-examples",
        "tests/trivial-suite",
    }
)
# What stands before the colon is ours: which query it was about.
HEADED_RULES = frozenset(f"model/{rule}" for rule in UNCONFIRMED)
MOST_SHOWN = 20


def hints(judged: Sequence[JudgedHelper]) -> str:
    """Return the findings about refused helpers, a line each: helper, line, rule, message where it is open, fix."""
    lines = [
        _line(item.candidate.name, finding) for item in judged if not item.accepted for finding in item.verdict.findings
    ]
    unique = list(dict.fromkeys(lines))
    more = len(unique) - MOST_SHOWN
    return "\n".join([*unique[:MOST_SHOWN], *([f"* and {more} more"] if more > 0 else [])])


def told_line(name: str, finding: Finding) -> str:
    """Return what a model may read of one finding, on one line."""
    return _line(name, finding).removeprefix("* ")


def is_open(finding: Finding) -> bool:
    """Return whether a finding's message speaks of the source alone."""
    gate = finding.rule.partition("/")[0]
    return finding.rule in OPEN_RULES or (gate in OPEN and not finding.rule.endswith(("outage", "timeout")))


def _line(name: str, finding: Finding) -> str:
    place = f", line {finding.line}" if finding.line is not None else ""
    head = finding.message.partition(":")[0] if finding.rule in HEADED_RULES else ""
    message = finding.message if is_open(finding) else head
    return f"* `{name}`{place}, `{finding.rule}`: {f'{message}. ' if message else ''}Fix: {finding.fix}"
