"""What the author of a repository can do about a finding: runs are lines of a file there, and no plan recurs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nucleate_codifier.values import Finding, Verdict

_FIXES: Mapping[str, str] = {
    "generality/too-few-queries": "add a line with another input to {examples}",
    "generality/constant-parameters": "add a line with other arguments to {examples}",
    "generality/same-behaviour": "call that tool, or delete this file",
    "generality/same-words": "call that tool, or say in the docstring what is different here",
    "generality/near-duplicate": "call that tool, or delete this file",
    "tests/too-few-examples": "add lines to {examples}",
    "tests/idempotence-unseen": "add a line to {examples} in which this is done twice",
    "replay/no-held-out-evidence": 'add a line with "held_out": true to {examples}',
    "safety/beyond-evidence": "add a line to {examples} in which it is called, or leave the call out",
    "safety/destructive": "let somebody approve it in pyproject.toml: [tool.nucleate.approvals], with `by` and `why`",
}
_WORDS: tuple[tuple[str, str], ...] = (
    ("record a run, or write a test,", "add a line to {examples}, or a test to {test},"),
    ("record a run that does, or write a test,", "add a line to {examples} that does, or a test to {test},"),
    ("record a run in which", "add a line to {examples} in which"),
    ("record runs in which it matters", "add lines to {examples} in which it matters"),
)


def advised(verdict: Verdict, name: str) -> Verdict:
    """Return the verdict on a repository's tool with fixes that its author can carry out."""
    gates = tuple(
        replace(report, findings=tuple(_advised(finding, name) for finding in report.findings))
        for report in verdict.gates
    )
    return replace(verdict, gates=gates)


def _advised(finding: Finding, name: str) -> Finding:
    fix = _FIXES.get(finding.rule, finding.fix)
    for words, own in _WORDS:
        fix = fix.replace(words, own)
    return replace(
        finding, fix=fix.replace("{examples}", f"{name}.examples.jsonl").replace("{test}", f"test_{name}.py")
    )
