"""`yield` and `yield from` in helpers; no way to a generator's frame."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "def f(k: int) -> object:\n    yield k\n    yield from [k]\n    a = yield\n    return a\nreturn list(f(n))",
    "return list(a for a in [n])",
    "return next(iter([n]), None)",
]
REFUSED = [
    ("g = (a for a in [n])\nreturn g.gi_frame", [("policy/attribute", 2)]),
    ("g = (a for a in [n])\nreturn g.gi_code", [("policy/attribute", 2)]),
    ("g = (a for a in [n])\nreturn g.gi_yieldfrom", [("policy/attribute", 2)]),
    ("return n.cr_frame", [("policy/attribute", 1)]),
    ("return n.ag_frame", [("policy/attribute", 1)]),
    (
        "return n.f_back, n.f_builtins, n.f_globals",
        [("policy/attribute", 1), ("policy/attribute", 1), ("policy/attribute", 1)],
    ),
    ("return n.tb_frame, n.tb_next", [("policy/attribute", 1), ("policy/attribute", 1)]),
    ("return n.co_code", [("policy/attribute", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_generators_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_generators_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
