"""A candidate's own tests: apart from the tool, over the channel, each with a fresh environment."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Failure, Functions, Limit, Limits, TestCase
from tests.sandbox.docker.programs import DEFAULT, SPINNING, Shop, module

pytestmark = pytest.mark.docker
INCREMENT = module("def tool(x: int, by: int = 1) -> int:\n    return x + by\n")


def test_a_suite_reports_each_test(docker_sandbox: DockerSandbox) -> None:
    suite = """
from hypothesis import given, strategies as st

def test_positional():
    assert tool(1, 2) == 3

@given(st.integers(-5, 5))
def test_property(x):
    assert tool(x=x) == x + 1

def test_wrong():
    assert tool(1) == 3
"""
    with docker_sandbox.open(limits=DEFAULT) as session:
        report = session.test(INCREMENT, {"test_tool.py": suite})
    assert [(case.name, case.passed) for case in report.cases] == [
        ("test_tool.py::test_positional", True),
        ("test_tool.py::test_property", True),
        ("test_tool.py::test_wrong", False),
    ]
    assert "assert 2 == 3" in report.cases[2].message
    assert (report.failure, report.passed) == (None, False)


def test_each_test_has_a_fork_of_the_environment(docker_sandbox: DockerSandbox) -> None:
    shop = Shop()
    tool = module("def tool():\n    return env.shop.take()\n")
    suite = "def test_one():\n    assert [tool(), tool()] == [2, 1]\n\ndef test_two():\n    assert tool() == 2\n"
    with docker_sandbox.open(functions=Functions.of(shop), limits=DEFAULT) as session:
        report = session.test(tool, {"test_tool.py": suite})
    assert (report.passed, len(report.cases), shop.stock) == (True, 2, 3)


def test_a_failure_of_the_tool_is_an_exception_that_a_test_can_expect(docker_sandbox: DockerSandbox) -> None:
    tool = module(
        """
        class Odd(Exception): pass
        def tool(how):
            if how == "key": {}["k"]
            if how == "own": raise Odd("so")
            env.shop.take()
        """
    )
    suite = """
import pytest

def test_key():
    with pytest.raises(KeyError):
        tool("key")

def test_own():
    with pytest.raises(ToolError, match="Odd: so"):
        tool("own")

def test_environment():
    with pytest.raises(FunctionError) as caught:
        tool("environment")
    assert caught.value.kind == "SoldOut"
"""
    with docker_sandbox.open(functions=Functions.of(Shop(stock=0)), limits=DEFAULT) as session:
        report = session.test(tool, {"test_tool.py": suite})
    assert report.passed, report


@pytest.mark.parametrize(
    ("suite", "kind"),
    [
        ("x = 1\n", "NoTests"),
        ("def test_a(:\n", "CollectionError"),
        ("import os\ndef test_a():\n    os._exit(0)\n", "ProcessExit"),
        ("import pytest\ndef test_a():\n    pytest.exit('enough')\ndef test_b():\n    pass\n", "MissingTests"),
    ],
)
def test_a_suite_that_does_not_run_never_passes(docker_sandbox: DockerSandbox, suite: str, kind: str) -> None:
    with docker_sandbox.open(limits=DEFAULT) as session:
        report = session.test(INCREMENT, {"test_tool.py": suite})
    assert report.failure is not None
    assert (report.failure.kind, report.passed) == (kind, False)


def test_a_skipped_test_has_not_passed(docker_sandbox: DockerSandbox) -> None:
    suite = "import pytest\ndef test_a():\n    pytest.skip('later')\n"
    with docker_sandbox.open(limits=DEFAULT) as session:
        report = session.test(INCREMENT, {"test_tool.py": suite})
    assert [case.passed for case in report.cases] == [False]


def test_a_tool_cannot_end_the_process_that_judges_it(docker_sandbox: DockerSandbox) -> None:
    forger = module("import os, pytest_is_not_here\n", name="tool")
    exiter = module("import os\ndef tool(x):\n    os._exit(0)\n")
    suite = "def test_a():\n    assert tool(x=1) == 2\n"
    with docker_sandbox.open(limits=DEFAULT) as session:
        reports = [session.test(tool, {"test_tool.py": suite}) for tool in (forger, exiter)]
    assert [[case.passed for case in report.cases] for report in reports] == [[False], [False]]


def test_a_suite_that_never_ends_hits_its_limit(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open(limits=SPINNING) as session:
        report = session.test(INCREMENT, {"test_tool.py": "def test_a():\n    while True: pass\n"})
        assert (report.limit, report.passed) == (Limit.CPU, False)
        assert session.test(INCREMENT, {"test_tool.py": "def test_a():\n    assert tool(1) == 2\n"}).passed


def test_calls_of_the_tool_are_limited(docker_sandbox: DockerSandbox) -> None:
    suite = "def test_a():\n    while True: tool(1)\n"
    with docker_sandbox.open(limits=Limits(bridge_calls=3)) as session:
        assert session.test(INCREMENT, {"test_tool.py": suite}).limit is Limit.CALLS


def test_a_file_name_that_is_a_path_is_refused(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open(limits=DEFAULT) as session:
        report = session.test(INCREMENT, {"../conftest.py": ""})
    assert report.failure == Failure(
        kind="ValueError",
        message="'../conftest.py' is not a test file's name; use letters, digits and _, ending in .py",
    )


def test_a_case_says_which_test_it_was(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open(limits=DEFAULT) as session:
        report = session.test(INCREMENT, {"test_tool.py": "def test_a():\n    assert tool(1) == 2\n"})
    assert report.cases == (TestCase(name="test_tool.py::test_a", passed=True),)
