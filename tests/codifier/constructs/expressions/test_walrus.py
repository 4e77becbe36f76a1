"""`:=` binds names as an assignment does."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return (k := n) + k",
    "if (k := n) > 1:\n    return k",
    "return [k := n, k]",
    "return any((k := a) for a in [n])",
]
REFUSED = [
    ("return (env := n)", [("policy/shadow", 1)]),
    ("return (__k := n)", [("policy/name", 1)]),
    ("return (k := eval)", [("policy/builtin", 1)]),
    ("return [env := a for a in [n]]", [("policy/shadow", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_walruses_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_walruses_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
