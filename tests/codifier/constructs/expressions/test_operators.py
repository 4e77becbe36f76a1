"""Arithmetic and bits: every operator of the language."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return n + 1 - 2 * 3 / 4 // 5 % 6 ** 7",
    "return n << 1 >> 2 | 3 & 4 ^ 5",
    "return ~n, -n, +n",
    "return [n] @ [n]",
    "k = n\nk //= 2\nk **= 2\nk @= 1\nk <<= 1\nk >>= 1\nk |= 1\nk &= 1\nk ^= 1\nk %= 2\nk -= 1\nk *= 2\nk /= 2",
]
REFUSED = [
    ("return '%s' % n.__dict__", [("policy/attribute", 1)]),
    ("return n + vars", [("policy/builtin", 1)]),
    ("n.k //= 2", [("policy/attribute-write", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_operators_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_operators_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
