"""`except*` and groups: they carry what ends a program past its handler."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "try:\n    pass\nexcept (ValueError, KeyError):\n    pass",
]
REFUSED = [
    ("try:\n    pass\nexcept* ValueError:\n    pass", [("policy/construct", 1)]),
    ("try:\n    pass\nexcept* (ValueError, KeyError) as e:\n    pass", [("policy/construct", 1)]),
    ("raise ExceptionGroup('a', [ValueError()])", [("policy/builtin", 1)]),
    ("raise BaseExceptionGroup('a', [])", [("policy/builtin", 1)]),
    ("try:\n    pass\nexcept ExceptionGroup as e:\n    pass", [("policy/builtin", 3)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_groups_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_groups_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
