"""`match`: every pattern, but class patterns that read attributes."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "match n:\n    case 1 | 2:\n        pass",
    "match n:\n    case 'a' | -1 | None | True:\n        pass",
    "match n:\n    case {'a': a, **rest}:\n        return a, rest",
    "match n:\n    case [x, *xs] as whole:\n        return x, xs, whole",
    "match n:\n    case (1, _, *_):\n        pass",
    "match n:\n    case str():\n        return 1",
    "match n:\n    case int(k) if k > 1:\n        return k",
    "match n:\n    case {'a': [{'b': b}]}:\n        return b",
]
REFUSED = [
    ("match n:\n    case int(real=r):\n        return r", [("policy/match-class", 2)]),
    ("match n:\n    case n.x():\n        return 1", [("policy/match-class", 2)]),
    ("match n:\n    case {'a': object(__class__=c)}:\n        return c", [("policy/match-class", 2)]),
    ("match n:\n    case env:\n        return env", [("policy/shadow", 2)]),
    ("match n:\n    case [*env]:\n        return env", [("policy/shadow", 2)]),
    ("match n:\n    case {**env}:\n        return env", [("policy/shadow", 2)]),
    ("match n:\n    case [a] as env:\n        return env", [("policy/shadow", 2)]),
    ("match n:\n    case a.__class__:\n        return 1", [("policy/attribute", 2)]),
    ("match n:\n    case __a:\n        return 1", [("policy/name", 2)]),
    ("match n:\n    case [*__a]:\n        return 1", [("policy/name", 2)]),
    ("match n:\n    case {**__a}:\n        return 1", [("policy/name", 2)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_patterns_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_patterns_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
