"""`async` and `await`: coroutines of the tool's own, nothing that is waited for elsewhere."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "async def f() -> int:\n    return 1\nreturn f",
    "async def f() -> int:\n    return await f()\nreturn f",
]
REFUSED = [
    ("async def f() -> None:\n    async for a in n:\n        pass", [("policy/construct", 2)]),
    ("async def f() -> None:\n    async with n:\n        pass", [("policy/construct", 2)]),
    ("async def f() -> object:\n    return [a async for a in n]", [("policy/construct", 2)]),
    ("async def f() -> object:\n    return {a: 1 async for a in n}", [("policy/construct", 2)]),
    ("@abs\nasync def f() -> None: ...", [("policy/decorator", 1)]),
    ("async def f(env: int) -> None: ...", [("policy/shadow", 1)]),
    ("async def __f() -> None: ...", [("policy/name", 1)]),
    ("async def f(__a: int) -> None: ...", [("policy/name", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_coroutines_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_coroutines_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
