"""Subscripts and slices: of any value, by any key."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "a = [n]\nreturn a[0], a[-1], a[1:], a[:2], a[::2], a[n:n:n]",
    "return {'a': 1}['a']",
    "return {'__class__': 1}['__class__']",
    "return n[0, 1]",
    "return n[*[1]]",
]
REFUSED = [
    ("return n[eval]", [("policy/builtin", 1)]),
    ("return n.x[0]._y", [("policy/attribute", 1)]),
    ("return n[__name__]", [("policy/name", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_subscripts_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_subscripts_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
