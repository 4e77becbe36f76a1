"""What each kind of wrong tool has to be refused for, and how sure a share of so few is."""

from __future__ import annotations

import math
from collections.abc import Mapping

from evals.admission.judging import Judged
from nucleate_codifier import Decision, Finding

REASONS: Mapping[str, tuple[str, ...]] = {
    "orders": ("safety/instruction",),
    "one entity": ("generality/own-entity", "generality/query-literal", "generality/from-one-run",
                   "tests/example-differs"),
    "swallowed": ("tests/swallows-errors", "tests/ignores-result"),
    "state": ("policy/state", "parse/mutable-default", "tests/remembers", "tests/flaky", "tests/not-deterministic"),
    "twin": ("generality/near-duplicate", "generality/same-words", "generality/same-behaviour"),
    "half done": ("tests/half-done",),
    "key order": ("tests/flaky", "tests/key-order", "tests/not-deterministic"),
    "not JSON": ("parse/result", "types/"),
    "made": ("tests/", "replay/differs", "replay/state-differs", "types/", "closure/", "generality/unused-parameter",
             "generality/picked-row", "policy/"),
}  # fmt: skip
"""The beginnings of rules that name what is wrong with a tool of this kind; other halves have no kinds."""

ELSE = ("tests/mutants-survive", "tests/trivial-suite", "tests/too-few-examples")
"""These say that the evidence is thin, of a good tool as of a wrong one: never the right reason."""

JSON_FORMS = ("list", "isoformat", "text", "seconds", "number")


def right_reason(item: Judged) -> bool:
    """Return whether a wrong tool was rejected, and one of the findings names what is wrong with it."""
    return item.verdict.decision is Decision.REJECTED and any(
        _names(item.labelled.kind, f) for f in item.verdict.findings
    )


def _names(kind: str, finding: Finding) -> bool:
    if finding.rule in ELSE:
        return False
    if kind == "not JSON" and not any(form in finding.fix for form in JSON_FORMS):
        return False
    return kind not in REASONS or finding.rule.startswith(REASONS[kind])


def wilson(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, 0 to 1 (Wilson, JASA 22(158), 1927)."""
    if not whole:
        return 0.0, 1.0
    z = 1.959964
    share, below = part / whole, 1 + z * z / whole
    middle = (share + z * z / (2 * whole)) / below
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / below
    return max(0.0, middle - half), min(1.0, middle + half)
