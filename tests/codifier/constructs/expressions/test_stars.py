"""Stars: in targets, calls and displays; never in an import."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "a, *b = n",
    "*a, b = n\nreturn [*a, b]",
    "return print(*[n], *[n], **{}, **{})",
    "return {**{}, 'a': 1}, {*[n]}",
    "def f(*a: int, **b: int) -> None: ...\nreturn f",
]
REFUSED = [
    ("*env, a = n", [("policy/shadow", 1)]),
    ("a, *n.x = n", [("policy/attribute-write", 1)]),
    ("return print(*eval)", [("policy/builtin", 1)]),
    ("*__a, b = n", [("policy/name", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_stars_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_stars_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
