"""F-strings: nested, converted and aligned; attributes in them obey the same rules."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return f'{n}'",
    "return f'{n!r:>{n}} {n:.2f} {{}}'",
    "return f'{n=}'",
    "return f'a' f'{n}' 'b'",
    "return f'{f\"{n}\"}'",
    "return rf'{n}\\d'",
]
REFUSED = [
    ("return f'{n.__class__}'", [("policy/attribute", 1)]),
    ("return f'{n:{n.__class__}}'", [("policy/attribute", 1)]),
    ("return f'{eval}'", [("policy/builtin", 1)]),
    ("return f'{n._x!r}'", [("policy/attribute", 1)]),
    ("return f'{(lambda env: env)(n)}'", [("policy/shadow", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_fstrings_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_fstrings_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
