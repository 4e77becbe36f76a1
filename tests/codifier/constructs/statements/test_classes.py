"""Classes: plain data at the top of the module, nothing that runs when they are made."""

from __future__ import annotations

import pytest

from tests.codifier.constructs.samples import module

ALLOWED = [
    "from enum import Enum\nclass A(Enum):\n    def f(self) -> None: ...",
    "from typing import TypedDict\nclass A(TypedDict, total=False):\n    a: int",
    "from typing import NamedTuple\nclass A(NamedTuple):\n    a: int = 0",
    "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    a: int = 0",
    "import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: int",
    "import enum\n@enum.unique\nclass A(enum.StrEnum):\n    B = 'b'",
    "from enum import Enum, auto\nclass A(str, Enum):\n    B = auto()",
]
REFUSED = [
    ("class A:\n    pass", [("parse/class", 1)]),
    ("class A(dict):\n    pass", [("parse/class", 1)]),
    ("class A(metaclass=int):\n    a = 1", [("parse/class", 1), ("policy/class", 1)]),
    ("from typing import TypedDict\nclass A(TypedDict, x=1):\n    pass", [("policy/class", 2)]),
    (
        "from enum import Enum\nclass A(Enum):\n    def __init__(self) -> None: ...",
        [("parse/class", 3), ("policy/name", 3)],
    ),
    ("from enum import Enum\nclass A(Enum):\n    __slots__ = ()", [("policy/name", 3)]),
    ("from enum import Enum\nclass A(Enum):\n    B = print(1)", [("parse/module-effect", 3)]),
    ("from enum import Enum\n@abs\nclass A(Enum):\n    B = 1", [("policy/decorator", 2)]),
    ("from dataclasses import make_dataclass\nA = 1", [("policy/member", 1)]),
]


@pytest.mark.parametrize("sample", ALLOWED)
def test_a_class_of_plain_data_passes(sample: str) -> None:
    assert module(sample) == []


@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_a_class_that_runs_something_is_refused(sample: str, findings: list[tuple[str, int]]) -> None:
    assert module(sample) == findings
