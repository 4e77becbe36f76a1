"""The sandbox that runs nothing."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Module, Outcome, Sandbox, SandboxError, ScriptedSandbox, TestCase, TestReport
from nucleate_sandbox.scripted import CallRequest, Request, RunRequest, TestRequest

TOOL = Module(name="tool", source="def tool(): ...")
REPORT = TestReport(cases=(TestCase(name="a", passed=True),))


def test_it_answers_in_order_and_remembers_what_it_was_asked() -> None:
    sandbox = ScriptedSandbox([Outcome(value=1), Outcome(value=2), REPORT])
    with sandbox.open() as session:
        assert session.run("x").value == 1
        assert session.call(TOOL, "tool", {"a": 1}).value == 2
        assert session.test(TOOL, {"test_a.py": ""}) == REPORT
    assert sandbox.requests == [
        RunRequest(code="x"),
        CallRequest(module=TOOL, function="tool", arguments={"a": 1}),
        TestRequest(module=TOOL, tests={"test_a.py": ""}),
    ]
    assert sandbox.opened == 1


def test_it_answers_by_a_function_of_the_request() -> None:
    def answer(request: Request) -> Outcome:
        return Outcome(value=request.code if isinstance(request, RunRequest) else None)

    sandbox: Sandbox = ScriptedSandbox(answer)
    with sandbox.open() as session:
        assert [session.run("a").value, session.run("b").value] == ["a", "b"]


def test_an_outage_in_the_script_is_raised() -> None:
    with ScriptedSandbox([SandboxError("engine gone"), Outcome()]).open() as session:
        with pytest.raises(SandboxError, match="engine gone"):
            session.run("x")
        assert session.run("x") == Outcome()


def test_a_script_that_is_used_up_says_so() -> None:
    with ScriptedSandbox().open() as session, pytest.raises(SandboxError, match="the script has no answer left"):
        session.run("x")


def test_an_answer_of_the_wrong_kind_is_named() -> None:
    with ScriptedSandbox([REPORT, Outcome()]).open() as session:
        with pytest.raises(SandboxError, match="script an Outcome"):
            session.run("x")
        with pytest.raises(SandboxError, match="script a TestReport"):
            session.test(TOOL, {})


def test_a_closed_session_refuses_work() -> None:
    session = ScriptedSandbox([Outcome()]).open()
    session.close()
    with pytest.raises(SandboxError, match="the session is closed"):
        session.run("x")
