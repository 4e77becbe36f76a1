"""Imports: members of modules on the list, used in place."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import policy

ALLOWED = [
    "import re\nreturn re.sub('a', 'b', 'c')",
    "import datetime as d\nreturn d.date(2026, 1, 1)",
    "from math import sqrt as root, pi\nreturn root(pi)",
    "import collections.abc\nk: collections.abc.Sequence[int] = [n]\nreturn k",
    "from collections.abc import Sequence\nreturn Sequence",
]
REFUSED = [
    ("import os", [("policy/import", 1)]),
    ("import re, sys", [("policy/import", 1)]),
    ("import os as re", [("policy/import", 1)]),
    ("import os.path", [("policy/import", 1)]),
    ("import json.decoder", [("policy/import", 1)]),
    ("from os import path", [("policy/import", 1)]),
    ("from . import x", [("policy/import", 1)]),
    ("from .re import x", [("policy/import", 1)]),
    ("if n:\n    import subprocess", [("policy/import", 2)]),
    ("from re import enum", [("policy/member", 1)]),
    ("from re import _parser", [("policy/member", 1)]),
    ("import importlib", [("policy/import", 1)]),
    ("import builtins", [("policy/import", 1)]),
    ("import sys", [("policy/import", 1)]),
    ("import re\nreturn re.enum", [("policy/member", 2)]),
    ("import re\nreturn [re]", [("policy/module-alias", 2)]),
    ("import operator\nreturn n", [("policy/import", 1)]),
    ("import typing as env", [("policy/shadow", 1)]),
    ("from math import sqrt as env", [("policy/shadow", 1)]),
    (
        "import runpy, zipimport, pkgutil, posix",
        [("policy/import", 1), ("policy/import", 1), ("policy/import", 1), ("policy/import", 1)],
    ),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_imports_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_imports_are_refused_where_they_lead_elsewhere(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings
