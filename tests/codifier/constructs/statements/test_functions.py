"""Functions within the tool: plain definitions, parameters of every kind, no decorators."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "def f(a: int, /, b: int = 1, *c: int, d: int = 2, **e: int) -> int:\n    return a\nreturn f",
    "def f() -> None: ...\nreturn f()",
    "def _f() -> int:\n    return 1\nreturn _f()",
    "def f(id: int, type: str) -> int:\n    return id\nreturn f(n, '')",
]
REFUSED = [
    ("@abs\ndef f() -> None: ...", [("policy/decorator", 1)]),
    ("def f(env: int) -> None: ...", [("policy/shadow", 1)]),
    ("def f(__a: int) -> None: ...", [("policy/name", 1)]),
    ("def f(*__a: int) -> None: ...", [("policy/name", 1)]),
    ("def f(**__a: int) -> None: ...", [("policy/name", 1)]),
    ("def f(*, __a: int) -> None: ...", [("policy/name", 1)]),
    ("def __f() -> None: ...", [("policy/name", 1)]),
    ("def env() -> None: ...", [("policy/shadow", 1)]),
    ("def f(a: int = eval) -> None: ...", [("policy/builtin", 1)]),
    ("def f(double: int) -> int:\n    return double\nreturn double(f(n))", [("policy/shadow", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_functions_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_functions_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
