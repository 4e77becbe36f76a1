"""Constants and displays: numbers, texts, bytes, containers."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return 1, 1.5, 2j, 'a', b'a', True, None, ..., 0x1F, 1_000",
    "return [n, *[n]], (n,), {n}, {'a': n, **{}}",
    "return 'a' 'b', '''c'''",
    "return {'__class__': '__globals__'}",
]
REFUSED = [
    ("return [eval]", [("policy/builtin", 1)]),
    ("return {'a': __name__}", [("policy/name", 1)]),
    ("return (n, n.__doc__)", [("policy/attribute", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_constants_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_constants_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
