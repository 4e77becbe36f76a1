"""Annotations: types by name, read but never run."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "k: list[int] | None = None",
    "k: 'list[int]' = []",
    "k: dict[str, tuple[int, ...]] = {}",
    "def f(a: int | str = 1) -> list[int]: ...\nreturn f",
    "from typing import Literal\nk: Literal['a', 1] = 1",
]
REFUSED = [
    ("k: eval = n", [("policy/builtin", 1)]),
    ("k: n.__class__ = n", [("policy/attribute", 1)]),
    ("def f(a: eval) -> None: ...", [("policy/builtin", 1)]),
    ("def f() -> n._x: ...", [("policy/attribute", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_annotations_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_annotations_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
