"""A candidate's own tests: the same report from every sandbox."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Limits, Sandbox, TestReport
from tests.contracts.sandbox_world import ENOUGH, World, functions, module

QUICK = Limits(wall_seconds=60.0, cpu_seconds=0.5)
INCREMENT = module("def tool(x: int, by: int = 1) -> int:\n    return x + by")


def report(
    sandbox: Sandbox, tests: dict[str, str], source: str | None = None, *, limits: Limits = ENOUGH
) -> TestReport:
    with sandbox.open(functions=functions(), limits=limits) as session:
        return session.test(module(source) if source else INCREMENT, tests)


def test_passing_tests_pass(sandbox: Sandbox) -> None:
    tests = {
        "test_a.py": "def test_one():\n    assert tool(1) == 2\n\ndef test_two():\n    assert tool(x=1, by=2) == 3\n",
        "test_b.py": "def _expected():\n    return 9\n\ndef test_one():\n    assert tool(8) == _expected()\n",
    }
    found = report(sandbox, tests)
    assert [(case.name, case.passed, case.message) for case in found.cases] == [
        ("test_a.py::test_one", True, ""),
        ("test_a.py::test_two", True, ""),
        ("test_b.py::test_one", True, ""),
    ]
    assert (found.passed, found.failure, found.limit) == (True, None, None)


def test_a_failing_test_fails_and_says_why(sandbox: Sandbox) -> None:
    found = report(sandbox, {"test_a.py": "def test_one():\n    assert tool(1) == 3\n"})
    assert [(case.name, case.passed) for case in found.cases] == [("test_a.py::test_one", False)]
    assert "assert 2 == 3" in found.cases[0].message
    assert (found.passed, found.failure) == (False, None)


@pytest.mark.parametrize(
    "tests",
    [{}, {"test_a.py": ""}, {"test_a.py": "x = 1\n"}, {"test_a.py": "def helper():\n    pass\n"}],
    ids=["no file", "an empty file", "a file of other things", "a file of helpers"],
)
def test_an_empty_suite_does_not_pass(sandbox: Sandbox, tests: dict[str, str]) -> None:
    found = report(sandbox, tests)
    assert (found.cases, found.passed) == ((), False)
    assert found.failure is not None
    assert found.failure.kind == "NoTests"


def test_a_file_that_cannot_be_read_does_not_pass(sandbox: Sandbox) -> None:
    found = report(sandbox, {"test_a.py": "def test_one(:\n    pass\n"})
    assert (found.cases, found.passed) == ((), False)
    assert found.failure is not None
    assert found.failure.kind == "CollectionError"
    assert "SyntaxError" in found.failure.message


def test_a_file_that_fails_to_load_does_not_pass(sandbox: Sandbox) -> None:
    assert not report(sandbox, {"test_a.py": "x = 1 / 0\n\ndef test_one():\n    pass\n"}).passed


def test_a_good_file_does_not_make_up_for_a_broken_one(sandbox: Sandbox) -> None:
    good, broken = "def test_one():\n    assert tool(1) == 2\n", "def test_two(:\n"
    assert not report(sandbox, {"test_a.py": good, "test_b.py": broken}).passed


def test_a_tools_exception_can_be_expected_by_its_class(sandbox: Sandbox) -> None:
    text = """
def test_one():
    try:
        tool(x="a")
    except TypeError as error:
        assert "str" in str(error)
    else:
        assert False
"""
    assert report(sandbox, {"test_a.py": text}).passed


def test_an_environment_error_can_be_expected(sandbox: Sandbox) -> None:
    text = """
def test_one():
    try:
        tool(x=3)
    except FunctionError as error:
        assert str(error) == "no order 3"
    else:
        assert False
"""
    assert report(sandbox, {"test_a.py": text}, "def tool(x):\n    return env.shop.order(value=x)").passed


def test_each_test_has_an_environment_of_its_own(sandbox: Sandbox) -> None:
    world = World()
    text = "def test_one():\n    assert [tool(), tool()] == [1, 2]\n\ndef test_two():\n    assert tool() == 1\n"
    with sandbox.open(functions=functions(world), limits=ENOUGH) as session:
        found = session.test(module("def tool():\n    return env.shop.add(value=1)"), {"test_a.py": text})
    assert (found.passed, world.basket) == (True, [])


def test_the_tests_do_not_see_the_tools_names(sandbox: Sandbox) -> None:
    text = "def test_one():\n    try:\n        SECRET\n    except NameError:\n        return\n    assert False\n"
    assert report(sandbox, {"test_a.py": text}, "SECRET = 1\ndef tool():\n    return SECRET").passed


def test_an_endless_test_does_not_pass(sandbox: Sandbox) -> None:
    found = report(sandbox, {"test_a.py": "def test_one():\n    while True:\n        pass\n"}, limits=QUICK)
    assert not found.passed


def test_an_endless_tool_does_not_pass(sandbox: Sandbox) -> None:
    text = "def test_one():\n    tool()\n"
    assert not report(sandbox, {"test_a.py": text}, "def tool():\n    while True:\n        pass", limits=QUICK).passed
