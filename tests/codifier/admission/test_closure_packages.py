"""Third-party packages: imported, declared, locked, and nothing besides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier import ImportLevel
from nucleate_codifier.admission.closure_gate import closure_gate
from nucleate_codifier.admission.policy.policy_gate import policy_gate
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.typing.types_gate import typing_gate
from nucleate_codifier.values import AdmissionPolicy, LibraryView
from tests.codifier.static_subject import body, found, subject, tool


def _pin(name: str, version: str) -> str:
    return f"{name}=={version} \\\n    --hash=sha256:{'0' * 64}\n"


def _block(*requirements: str) -> str:
    return f"# /// script\n# dependencies = [{', '.join(map(repr, requirements))}]\n# ///\n"


DATE = _pin("python-dateutil", "2.9.0")
USE = "import dateutil.parser\nreturn len(str(dateutil.parser.parse('2024-05-01')))"
LEVEL = AdmissionPolicy(level=ImportLevel.PACKAGES)


def _subject(source: str, lock: str = "", *, policy: AdmissionPolicy = LEVEL) -> Subject:
    given = subject(source, policy=policy)
    return replace(given, candidate=replace(given.candidate, lock=lock))


def test_a_package_that_is_declared_and_locked_passes_every_static_gate() -> None:
    given = _subject(body(USE, header=_block("python-dateutil>=2.8")), DATE)
    assert [found(gate(given)) for gate in (policy_gate, closure_gate, typing_gate)] == [[], [], []]


Case = tuple[str, str, str, list[tuple[str, int | None]]]
CASES: dict[str, Case] = {
    "undeclared": ("", "", USE, [("closure/undeclared-package", 3)]),
    "a package that bears the name of another one's module": (
        _block("dateutil"),
        _pin("dateutil", "1.0"),
        USE,
        [("closure/unused-package", None), ("closure/undeclared-package", 3)],
    ),
    "unlocked": (_block("python-dateutil"), "", USE, [("closure/unlocked-package", None)]),
    "locked too old": (_block("python-dateutil>=3"), DATE, USE, [("closure/unlocked-package", None)]),
    "unused": (_block("python-dateutil"), DATE, "return n", [("closure/unused-package", None)]),
    "locked for nothing": ("", DATE, "return n", [("closure/needless-lock", None)]),
    "a lock with an address": (_block("python-dateutil"), "x @ file:///x\n", USE, [("closure/requirements", None)]),
    "a requirement with an address": (
        _block("x @ file:///tmp/x"),
        "",
        "return n",
        [("closure/requirements", None)],
    ),
    "two blocks": (_block("a") + "\n" + _block("b"), "", "return n", [("closure/requirements", None)]),
    "a name that hides the standard library": (
        _block("json"),
        _pin("json", "1.0"),
        "import json\nreturn len(json.dumps(n))",
        [("closure/unused-package", None)],
    ),
    "imported where a condition holds": (
        "",
        "",
        "if n:\n    import yaml\n    return len(yaml.dump(n))\nreturn n",
        [("closure/undeclared-package", 4)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_declaration_lock_and_imports_must_agree(case: str) -> None:
    header, lock, text, expected = CASES[case]
    findings = found(closure_gate(_subject(body(text, header=header), lock)))
    lines = header.count("\n")
    assert findings == [(rule, line and line + lines) for rule, line in expected]


def test_what_a_called_tool_declares_is_locked_too() -> None:
    parse = replace(tool("double"), source=_block("python-dateutil") + tool("double").source)
    given = replace(_subject(body("return double(n)")), library=LibraryView(tools={"double": parse}))
    assert found(closure_gate(given)) == [("closure/unlocked-package", None)]
    locked = replace(parse, lock=DATE)
    assert found(closure_gate(replace(given, library=LibraryView(tools={"double": locked})))) == []


LEVELS = {
    ImportLevel.PURE: [("policy/import", 6), ("policy/import", 7)],
    ImportLevel.STANDARD: [("policy/import", 7)],
    ImportLevel.PACKAGES: [],
}


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_opens_more_modules(level: ImportLevel) -> None:
    source = body("import re\nimport dateutil\nreturn n", header=_block("python-dateutil"))
    assert found(policy_gate(_subject(source, DATE, policy=AdmissionPolicy(level=level)))) == LEVELS[level]


def test_no_level_opens_what_the_interpreter_itself_is_made_of() -> None:
    source = body("import sys\nreturn n", header=_block("sys"))
    assert found(policy_gate(_subject(source))) == [("policy/import", 6)]


def test_a_package_cannot_stand_before_the_stubs_of_the_environment() -> None:
    text = "import nucleate_environment_exact\nreturn env.shop.get_ordr(order_id=n)"
    given = _subject(body(text, header=_block("nucleate-environment-exact")))
    assert ("types/attr-defined", 7) in found(typing_gate(given))
