"""The parse gate: one documented function in a module that does nothing by itself."""

from __future__ import annotations

import pytest

from nucleate_codifier.admission.parse_gate import parse_gate
from nucleate_codifier.values import Finding
from tests.codifier.static_subject import HOSTILE, body, found, judge, subject

GOOD = '''"""Totals of orders."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias, TypedDict

LIMIT = 50
PATTERN = re.compile(r"\\d+")
RATE: Decimal = Decimal("0.19")
NAMES = frozenset({"a", "b"})
Ids: TypeAlias = list[int]


class Kind(StrEnum):
    """A kind."""

    OPEN = "open"


class Line(TypedDict, total=False):
    price: float


@dataclass(frozen=True)
class Total:
    value: float = 0.0
    ids: list[int] = field(default_factory=list)


def tool(n: int, *, kind: Kind = Kind.OPEN, limit: int | None = None) -> Total:
    """Return the total."""
    return _total(n)


def _total(n):
    return Total(value=n * 1.0)
'''


def test_a_plain_module_passes() -> None:
    assert parse_gate(subject(GOOD)).findings == ()


def test_a_finding_names_the_value_the_line_and_the_fix() -> None:
    assert parse_gate(subject(body("return n", parameters="n"))).findings == (
        Finding(
            rule="parse/annotation",
            line=1,
            message="the parameter 'n' has no annotation",
            fix="write `n: <type>`",
        ),
    )


FUNCTION = 'def tool(n: int) -> int:\n    """Return it."""\n    return n\n'
CASES = {
    "no function": ("x = 1\n", [("parse/no-function", None)]),
    "another name": (FUNCTION.replace("tool", "other"), [("parse/no-function", 1)]),
    "only a private one": (FUNCTION.replace("tool", "_tool"), [("parse/no-function", None)]),
    "two public ones": (FUNCTION + FUNCTION.replace("tool", "other"), [("parse/several-functions", 4)]),
    "defined twice": (FUNCTION + FUNCTION, [("parse/several-functions", 4)]),
    "no return annotation": (FUNCTION.replace(" -> int", ""), [("parse/annotation", 1)]),
    "star arguments": (
        FUNCTION.replace("n: int", "*n: int, **m: int"),
        [("parse/parameter-kind", 1), ("parse/parameter-kind", 1)],
    ),
    "positional only": (FUNCTION.replace("n: int", "n: int, /"), [("parse/parameter-kind", 1)]),
    "no docstring": (FUNCTION.replace('    """Return it."""\n', ""), [("parse/docstring", 1)]),
    "an empty docstring": (FUNCTION.replace("Return it.", " "), [("parse/docstring", 1)]),
    "a call": (FUNCTION + "print(1)\n", [("parse/module-effect", 4)]),
    "a constant from a call": (FUNCTION + "X = tool(1)\n", [("parse/module-effect", 4)]),
    "a table without an end": (FUNCTION + "X = [n for n in range(10**9)]\n", [("parse/module-effect", 4)]),
    "a table that calls": (FUNCTION + "X = [tool(n) for n in range(3)]\n", [("parse/module-effect", 4)]),
    "a set": ('def tool(n: int) -> set[int]:\n    """Return it."""\n    return {n}\n', [("parse/result", 1)]),
    "a date in a list": (
        'from datetime import date\n\n\ndef tool(n: int) -> list[date]:\n    """Return it."""\n    return []\n',
        [("parse/result", 4)],
    ),
    "a hook in a class": (
        FUNCTION
        + "from enum import Enum\nclass A(Enum):\n    X = 1\n    def _missing_(self) -> int:\n        return 1\n",
        [("parse/class", 7)],
    ),
    "a lambda": (FUNCTION + "_f = lambda: 1\n", [("parse/module-effect", 4)]),
    "two targets": (FUNCTION + "A = B = 1\n", [("parse/module-effect", 4)]),
    "a loop": (FUNCTION + "for x in (): pass\n", [("parse/module-effect", 4)]),
    "a condition": (FUNCTION + "if True:\n    X = 1\n", [("parse/module-effect", 4)]),
    "a default from a call": (FUNCTION.replace("n: int", "n: int = abs(1)"), [("parse/module-effect", 1)]),
    "a mutable default": (FUNCTION.replace("n: int", "n: list[int] = []"), [("parse/mutable-default", 1)]),
    "a plain class": (FUNCTION + "class A:\n    pass\n", [("parse/class", 4)]),
    "a strange base": (FUNCTION + "class A(dict):\n    pass\n", [("parse/class", 4)]),
    "a method": (
        FUNCTION + "from enum import Enum\nclass A(Enum):\n    def f(self): pass\n",
        [("parse/class", 6)],
    ),
    "a non-ASCII name": (FUNCTION.replace("return n", "return \uff4e"), [("parse/identifier", 3)]),
    "an invisible character": (FUNCTION.replace("return it.", "Return\u200b it."), []),
    "a joiner": (FUNCTION.replace("Return it.", "Return\u200b it."), [("parse/character", 2)]),
    "a syntax error": ("def tool(:\n", [("parse/syntax", 1)]),
    "a cookie": ("# coding: latin-1\n" + FUNCTION, [("parse/encoding", 1)]),
    "too much text": ("#" * 20_001, [("parse/size", None)]),
    "too many nodes": ("X = [" + "1," * 9000 + "]\n" + FUNCTION, [("parse/size", None)]),
    "too many brackets": ("X = " + "[" * 50 + "]" * 50, [("parse/nesting", 1)]),
    "a deep expression": ("X = 1" + "+1" * 100, [("parse/nesting", 1)]),
    "a null byte": (FUNCTION + "\0", [("parse/character", 4)]),
    "a form feed": (FUNCTION + "\x0c", [("parse/character", 4)]),
    "a carriage return": ("# x\r" + FUNCTION, [("parse/character", 1)]),
    "a surrogate": ("X = '\ud800'\n" + FUNCTION, [("parse/character", 1)]),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_no_tool_is_refused_at_its_line(case: str) -> None:
    source, expected = CASES[case]
    assert judge(parse_gate, source) == expected


@pytest.mark.parametrize("name", ["Tool", "_tool", "2tool", "tool\n", "a" * 41, "töol", ""])
def test_a_name_outside_the_pattern_is_refused(name: str) -> None:
    assert ("parse/name", None) in found(parse_gate(subject(FUNCTION, name=name)))


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_source_is_refused_and_never_crashes(case: str) -> None:
    assert parse_gate(subject(HOSTILE[case])).findings != ()


def test_no_message_echoes_the_source() -> None:
    for source in HOSTILE.values():
        assert all(len(finding.message) < 200 for finding in parse_gate(subject(source)).findings)


def test_an_integer_that_python_writes_in_no_text_is_refused_at_once() -> None:
    assert parse_gate(subject(body(f"return n == 0x{'f' * 15_000}", parameters="n: int"))).findings == (
        Finding(
            rule="parse/size",
            line=3,
            message="an integer has 60000 bits; the limit is 14284",
            fix="take it as a parameter",
        ),
    )
