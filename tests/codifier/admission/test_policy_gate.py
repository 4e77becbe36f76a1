"""The policy gate: every construct decided by name; what is not named is refused."""

from __future__ import annotations

import sys

import pytest

from nucleate_codifier.admission.policy.policy_gate import policy_gate
from nucleate_codifier.values import AdmissionPolicy, Finding
from tests.codifier.static_subject import HOSTILE, body, found, judge, subject

ALLOWED = {
    "annotated locals": "k: int = n\nj: str\nreturn k",
    "a comprehension of each kind": "return [a for a in [n]], {a for a in [n]}, {a: a for a in [n]}, (a for a in [n])",
    "unpacking": "a, (b, *c) = n\n(d, e), f = n\nreturn a, b, c, d, e, f",
    "a walrus": "return (k := n) + k",
    "match": (
        "match n:\n    case 1 | 2:\n        return 1\n    case {'a': a, **rest}:\n        return a, rest\n"
        "    case [x, *xs] as whole:\n        return x, xs, whole\n    case str() | int(k):\n        return k\n"
        "    case None:\n        return 2\n    case _:\n        return 3"
    ),
    "try, raise and assert": (
        "try:\n    assert n\nexcept (KeyError, FunctionError) as error:\n    raise ValueError('no') from error\n"
        "else:\n    pass\nfinally:\n    print(n)"
    ),
    "loops": "while n:\n    for a in [n]:\n        if a:\n            continue\n        break\n    else:\n        n -= 1",
    "a generator and a lambda": "def g(k: int) -> object:\n    yield k\n    yield from [k]\nmap(lambda a: a, g(n))",
    "an f-string": "return f'{n:>{n}} {n!r}'",
    "a plain format": "return '{} {name:.2f} {{}}'.format(n, name=n)",
    "star arguments": "return max(*[n], **{'key': abs})",
    "del and slices": "a = [n]\ndel a[0]\na[1:2] = []\nreturn a[::-1]",
    "imports on the list": (
        "import re\nimport datetime as d\nimport collections.abc\nfrom math import sqrt as root\n"
        "from collections.abc import Sequence\nk: collections.abc.Sequence[int] = [n]\n"
        "return re.sub('a', 'b', str(d.date(2026, 1, 1))), root(n), k, Sequence"
    ),
    "a field's name": "def f(id: int, type: str) -> int:\n    return id + len(type)\nreturn f(n, '')",
    "the type of a value": "return type(n) is int or type(n) == bool",
    "a private helper's name": "def _k() -> int:\n    return 1\n_ = n\nreturn _k()",
}


@pytest.mark.parametrize("case", ALLOWED)
def test_an_allowed_construct_passes(case: str) -> None:
    assert judge(policy_gate, body(ALLOWED[case])) == []


def test_an_asynchronous_tool_passes() -> None:
    source = (
        body("return await f(n)").replace("def tool", "async def tool") + "async def f(n: int) -> int:\n    return n\n"
    )
    assert judge(policy_gate, source) == []


def test_data_classes_pass() -> None:
    header = (
        "import enum\nfrom dataclasses import dataclass\nfrom typing import TypedDict\n"
        "@dataclass(frozen=True)\nclass A:\n    a: int = 0\nclass B(TypedDict, total=False):\n    b: int\n"
        "@enum.unique\nclass C(enum.StrEnum):\n    D = 'd'\n"
    )
    assert judge(policy_gate, body("return A(a=n)", header=header)) == []


REFUSED = {
    "global": ("global k\nk = n", [("policy/construct", 3)]),
    "a switched-off branch": ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass", [("policy/member", 4)]),
    "an exception group": ("try:\n    pass\nexcept* ValueError:\n    pass", [("policy/construct", 3)]),
    "async for": ("async for a in n:\n    pass", [("policy/construct", 3)]),
    "async with": ("async with n:\n    pass", [("policy/construct", 3)]),
    "an async comprehension": ("return [a async for a in n]", [("policy/construct", 3)]),
    "a bare except": ("try:\n    pass\nexcept:\n    pass", [("policy/bare-except", 5)]),
    "except BaseException": ("try:\n    pass\nexcept BaseException:\n    pass", [("policy/builtin", 5)]),
    "a dunder attribute": ("return n.__class__", [("policy/attribute", 3)]),
    "a private attribute": ("return n._x", [("policy/attribute", 3)]),
    "a frame": ("return n.gi_frame, n.f_globals, n.tb_frame", [("policy/attribute", 3)] * 3),
    "an error's object": ("return n.obj", [("policy/attribute", 3)]),
    "an attribute in an f-string": ("return f'{n.__class__}'", [("policy/attribute", 3)]),
    "a dunder name": ("return __builtins__", [("policy/name", 3)]),
    "an assigned attribute": ("n.x = 1", [("policy/attribute-write", 3)]),
    "a deleted attribute": ("del n.x", [("policy/attribute-write", 3)]),
    "exec": ("exec('1')", [("policy/builtin", 3), ("policy/builtin", 3)]),
    "eval by another name": ("e = eval\nreturn e('1')", [("policy/builtin", 3)]),
    "type with three arguments": ("return type('A', (), {})", [("policy/builtin", 3)]),
    "format on a variable": ("t = '{}'\nreturn t.format(n)", [("policy/format", 4)]),
    "format of an attribute": ("return '{0.x}'.format(n)", [("policy/format", 3)]),
    "format of an element": ("return '{a[x]}'.format(a=n)", [("policy/format", 3)]),
    "format within a format": ("return '{:{w}}'.format(n, w=n)", [("policy/format", 3)]),
    "format as a value": ("f = '{}'.format\nreturn f(n)", [("policy/format", 3)]),
    "format_map": ("return '{a}'.format_map({})", [("policy/format", 3)]),
    "a decorator": ("@abs\ndef f() -> None: ...\nreturn f", [("policy/decorator", 3)]),
    "a dataclass decorator on a function": (
        "from dataclasses import dataclass\n@dataclass\ndef f() -> None: ...\nreturn f",
        [("policy/decorator", 4)],
    ),
    "a metaclass": ("class A(metaclass=int):\n    pass\nreturn A", [("policy/class", 3)]),
    "a class argument": ("class A(object, x=1):\n    pass\nreturn A", [("policy/class", 3)]),
    "a class pattern with attributes": (
        "match n:\n    case int(real=r):\n        return r",
        [("policy/match-class", 4)],
    ),
    "a dotted class pattern": ("match n:\n    case n.x():\n        return 1", [("policy/match-class", 4)]),
    "an import off the list": ("import os\nreturn os.getcwd()", [("policy/import", 3)]),
    "an import by another name": ("import os as re\nreturn n", [("policy/import", 3)]),
    "a submodule off the list": ("import os.path\nreturn n", [("policy/import", 3)]),
    "a submodule of one on the list": ("import json.decoder\nreturn n", [("policy/import", 3)]),
    "a from import off the list": ("from os import path\nreturn path", [("policy/import", 3)]),
    "a conditional import": ("if n:\n    import subprocess\nreturn n", [("policy/import", 4)]),
    "a relative import": ("from . import x\nreturn x", [("policy/import", 3)]),
    "a relative name": ("from .re import x\nreturn x", [("policy/import", 3)]),
    "a module's module": ("import re\nreturn re.enum.sys", [("policy/member", 4)]),
    "a module from a module": ("from re import enum\nreturn enum", [("policy/member", 3)]),
    "a private member": ("from re import _parser\nreturn _parser", [("policy/member", 3)]),
    "the formatter": ("import string\nreturn string.Formatter()", [("policy/member", 4)]),
    "a cast": ("from typing import cast\nreturn cast(int, n)", [("policy/member", 3)]),
    "a module as a value": ("import re\nreturn vars(re)", [("policy/module-alias", 4), ("policy/builtin", 4)]),
    "a patched module": ("import re\nre.sub = n", [("policy/attribute-write", 4)]),
    "a shadowed env": ("env = n\nreturn env", [("policy/shadow", 3)]),
    "a shadowed error": ("class FunctionError: ...\nreturn FunctionError", [("policy/shadow", 3)]),
    "env as a parameter": ("return (lambda env: env)(n)", [("policy/shadow", 3)]),
    "a shadowed guard": ("len = n\nisinstance = n\nreturn len", [("policy/shadow", 4)]),
    "a shadowed tool": ("def f(double: int) -> int:\n    return double\nreturn double(f(n))", [("policy/shadow", 3)]),
    "type: ignore": ("return n  # type: ignore[foo]", [("policy/comment", 3)]),
    "noqa": ("return n  #noqa", [("policy/comment", 3)]),
    "mypy": ("# mypy: ignore-errors\nreturn n", [("policy/comment", 3)]),
}
FORBIDDEN = ["getattr", "setattr", "delattr", "vars", "globals", "locals", "open", "input", "compile", "breakpoint"]


@pytest.mark.parametrize("case", REFUSED)
def test_a_construct_off_the_list_is_refused_at_its_line(case: str) -> None:
    source, expected = REFUSED[case]
    assert judge(policy_gate, body(source)) == expected


@pytest.mark.parametrize("name", [*FORBIDDEN, "memoryview", "super", "id", "hash", "dir", "classmethod", "property"])
def test_a_builtin_off_the_list_is_refused(name: str) -> None:
    assert judge(policy_gate, body(f"return {name}")) == [("policy/builtin", 3)]


def test_a_star_import_is_refused() -> None:
    assert judge(policy_gate, "from re import *\n" + body("return n")) == [("policy/import", 1)]


def test_a_name_of_the_module_that_hides_a_builtin_is_refused() -> None:
    assert judge(policy_gate, body("return n", header="sum = 1\n")) == [("policy/shadow", 1)]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is younger")
def test_type_aliases_and_type_parameters_pass() -> None:
    assert judge(policy_gate, "type A = list[int]\ndef f[T](a: T) -> T:\n    return a\n") == []


def test_the_list_of_imports_is_the_policys() -> None:
    narrow = AdmissionPolicy(allowed_imports=frozenset({"math"}))
    assert policy_gate(subject(body("import re\nreturn n"), policy=narrow)).findings == (
        Finding(
            rule="policy/import", line=3, message="the module 're' is not on the policy's list", fix="use one of: math"
        ),
    )


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_source_never_crashes(case: str) -> None:
    assert all(rule.startswith("policy/") for rule, _ in found(policy_gate(subject(HOSTILE[case]))))
