"""Attributes: public ones are read; private ones, and ways behind a value, are not."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "return env.clock.now()",
    "return n.real",
    "return 'a'.upper().strip()",
    "return [].append",
    "import datetime\nreturn datetime.date(2026, 1, 1).year",
]
REFUSED = [
    ("import datetime\nreturn datetime.datetime.now().year", [("policy/clock", 2)]),
    ("from datetime import date as d\nf = d.today\nreturn f()", [("policy/clock", 2)]),
    ("import statistics\nreturn statistics.NormalDist().samples(1)[0]", [("policy/clock", 2)]),
    ("return n._x", [("policy/attribute", 1)]),
    ("return n.__class__", [("policy/attribute", 1)]),
    ("return ''.__class__.__mro__", [("policy/attribute", 1), ("policy/attribute", 1)]),
    ("return n.mro()", [("policy/attribute", 1)]),
    ("return n.__globals__", [("policy/attribute", 1)]),
    ("return n.__init__.__globals__", [("policy/attribute", 1), ("policy/attribute", 1)]),
    ("return n.obj", [("policy/attribute", 1)]),
    ("return n.gi_frame.f_globals", [("policy/attribute", 1), ("policy/attribute", 1)]),
    ("return 'a'.format", [("policy/format", 1)]),
    ("return n.with_traceback", [("policy/attribute", 1)]),
    ("return object.__getattribute__", [("policy/attribute", 1)]),
    ("return n.__roles__", [("policy/attribute", 1)]),
    ("return str.format_map", [("policy/format", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_attributes_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_attributes_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
