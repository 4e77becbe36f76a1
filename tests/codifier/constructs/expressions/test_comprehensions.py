"""Comprehensions of each kind, nested and filtered; none that waits."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return [a for a in [n]]",
    "return {a for a in [n] if a if a > 1}",
    "return {a: b for a, b in []}",
    "return (a for a in [n])",
    "return [a + b for a in [n] for b in [a]]",
    "return [[b for b in a] for a in [[n]]]",
    "return [k for a in [n] if (k := a)]",
    "return {**{}, 'a': 1}",
]
REFUSED = [
    ("return [env for env in [n]]", [("policy/shadow", 1)]),
    ("return [__a for __a in []]", [("policy/name", 1)]),
    ("return [a.__class__ for a in [n]]", [("policy/attribute", 1)]),
    ("return [0 for n.x in []]", [("policy/attribute-write", 1)]),
    ("return {eval: 1 for a in []}", [("policy/builtin", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_comprehensions_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_comprehensions_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
