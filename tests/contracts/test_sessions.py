"""What a caller may rely on whatever is behind the seam: the scripted double keeps it too."""

from __future__ import annotations

import pytest

from nucleate_sandbox import (
    NONE,
    Failure,
    Limit,
    Limits,
    Outcome,
    Sandbox,
    SandboxError,
    ScriptedSandbox,
    Session,
    TestCase,
    TestReport,
)
from nucleate_sandbox.scripted import CallRequest, Request, RunRequest
from tests.contracts.conftest import SANDBOXES
from tests.contracts.sandbox_world import ENOUGH, module

DOUBLE = module("def tool(n):\n    return 2 * n")
BROKEN = module("def tool(n):\n    return n['id']")
LARGE = module("def tool(n):\n    return 'x' * 20000")
TESTS = {"test_a.py": "def test_one():\n    assert tool(n=1) == 2\n"}
CLOSED = "the session is closed; open another one"


def script(request: Request) -> Outcome | TestReport:
    """Answer as a backend would."""
    if isinstance(request, RunRequest):
        return Outcome(value=3)
    if not isinstance(request, CallRequest):
        return TestReport(cases=(TestCase(name="test_a.py::test_one", passed=True),))
    if request.module == BROKEN:
        return Outcome(failure=Failure(kind="TypeError", message="'int' object is not subscriptable"))
    if request.module == LARGE:
        return Outcome(failure=Failure(kind="LimitExceeded", message="20002 bytes"), limit=Limit.RESULT)
    return Outcome(value=42)


@pytest.fixture
def scripted_sandbox() -> Sandbox:
    return ScriptedSandbox(script)


@pytest.fixture(params=(*SANDBOXES, pytest.param("scripted_sandbox", id="scripted")))
def any_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Return one implementation of the seam after the other."""
    sandbox: Sandbox = request.getfixturevalue(request.param)
    return sandbox


def test_a_sandbox_tells_its_name_and_whether_it_is_a_boundary(any_sandbox: Sandbox) -> None:
    finals = {"docker": True, "monty": False, "scripted": True}
    assert any_sandbox.final is finals[any_sandbox.name]


def test_a_session_is_opened_with_everything_left_out_or_given(any_sandbox: Sandbox) -> None:
    with any_sandbox.open() as one, any_sandbox.open(functions=NONE, limits=ENOUGH, packages=None) as two:
        assert [session.call(DOUBLE, "tool", {"n": 21}) for session in (one, two)] == [Outcome(value=42)] * 2


def test_a_run_a_call_and_a_suite_are_values(any_sandbox: Sandbox) -> None:
    with any_sandbox.open(limits=ENOUGH) as session:
        assert session.run("1 + 2") == Outcome(value=3)
        assert session.call(DOUBLE, "tool", {"n": 21}) == Outcome(value=42)
        assert session.test(DOUBLE, TESTS).passed


def test_a_failing_program_is_a_value_and_no_exception(any_sandbox: Sandbox) -> None:
    with any_sandbox.open(limits=ENOUGH) as session:
        outcome = session.call(BROKEN, "tool", {"n": 1})
    assert outcome == Outcome(failure=Failure(kind="TypeError", message="'int' object is not subscriptable"))
    assert not outcome.ok


def test_a_limit_is_told_apart_from_a_failure(any_sandbox: Sandbox) -> None:
    with any_sandbox.open(limits=Limits(result_bytes=10_000)) as session:
        outcome = session.call(LARGE, "tool", {"n": 1})
    assert (outcome.limit, outcome.value, outcome.ok) == (Limit.RESULT, None, False)
    assert outcome.failure is not None


@pytest.mark.parametrize("method", ["run", "call", "test"])
def test_a_closed_session_refuses_work_and_names_the_next_step(any_sandbox: Sandbox, method: str) -> None:
    with any_sandbox.open(limits=ENOUGH) as session:
        session.run("1 + 2")
    session.close()
    with pytest.raises(SandboxError, match=CLOSED):
        _use(session, method)


def _use(session: Session, method: str) -> None:
    if method == "run":
        session.run("1 + 2")
    elif method == "call":
        session.call(DOUBLE, "tool", {"n": 21})
    else:
        session.test(DOUBLE, TESTS)


def test_a_session_that_is_closed_leaves_another_open(any_sandbox: Sandbox) -> None:
    one, two = any_sandbox.open(limits=ENOUGH), any_sandbox.open(limits=ENOUGH)
    one.close()
    with two:
        assert two.run("1 + 2").value == 3


@pytest.mark.parametrize("text", ["x = '\ud800'", "\udcff"])
def test_a_source_that_is_no_text_is_a_syntax_error(sandbox: Sandbox, text: str) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        failures = [
            session.run(text).failure,
            session.call(module(text), "tool", {}).failure,
            session.test(DOUBLE, {"test_a.py": text}).failure,
        ]
    assert [item and item.kind for item in failures] == ["SyntaxError"] * 3
    assert failures[0] is not None
    assert "half of a surrogate pair" in failures[0].message
