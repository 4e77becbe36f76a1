"""`del`: names and elements, no attributes."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "k = n\ndel k",
    "a = [n]\ndel a[0]",
    "a = [n]\ndel a[0:1]",
    "a = {}\ndel a['b'], a['c']",
]
REFUSED = [
    ("del n.x", [("policy/attribute-write", 1)]),
    ("a = [n]\ndel a[0].x", [("policy/attribute-write", 2)]),
    ("del n.__class__", [("policy/attribute-write", 1), ("policy/attribute", 1)]),
    ("del env", [("policy/shadow", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_deletions_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_deletions_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
