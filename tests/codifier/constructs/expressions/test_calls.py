"""Calls: keywords, stars; no builtin that reaches past the checks."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return max(n, 1)",
    "return max(*[n], **{'key': abs})",
    "return print(n, sep='')",
    "return type(n) is int",
    "return str == type(n) != type(1)",
    "return isinstance(n, (int, str))",
    "return (lambda: n)()",
    "return sum(bytearray(b'ab'))",
    "return '{} {a:.2f} {{}}'.format(n, a=n)",
]
REFUSED = [
    ("return type(n)", [("policy/builtin", 1)]),
    ("t = type\nreturn t('A', (), {})", [("policy/builtin", 1)]),
    ("t = type(type(n))\nreturn t('A', (), {})", [("policy/builtin", 1)] * 1),
    ("return type[int]('A', (), {})", [("policy/builtin", 1)]),
    ("return list(map(type, [n]))", [("policy/builtin", 1)]),
    ("return type(*[n]) is int", [("policy/builtin", 1)]),
    ("import enum\nreturn enum.EnumType('A', (), {})", [("policy/member", 2)]),
    ("import functools\nreturn functools.update_wrapper(abs, n, ['__globals__'])", [("policy/member", 2)]),
    ("return type('A', (), {})", [("policy/builtin", 1)]),
    ("return type(n, x=1)", [("policy/builtin", 1)]),
    ("return getattr(n, 'x')", [("policy/builtin", 1)]),
    ("return exec('1')", [("policy/builtin", 1), ("policy/builtin", 1)]),
    ("return compile('1', '', 'eval')", [("policy/builtin", 1)]),
    ("return __import__('os')", [("policy/name", 1)]),
    ("return print(**{'a': eval})", [("policy/builtin", 1)]),
    ("return super()", [("policy/builtin", 1)]),
    ("return memoryview(b'')", [("policy/builtin", 1)]),
    ("return id(n), hash(n)", [("policy/builtin", 1), ("policy/builtin", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_calls_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_calls_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
