"""What is particular to the embedded sandbox: its workers, and what it says it lacks."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nucleate_sandbox import (
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Module,
    MontySandbox,
    SandboxError,
)

TOOL = Module(name="tool", source="def tool(x=1):\n    return x + 1\n")


def workers() -> set[int]:
    """Return the process ids of this process's Monty workers."""
    return {pid for pid, parent, name in processes() if parent == os.getpid() and name == "monty"}


def processes() -> Iterator[tuple[int, int, str]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = path.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:  # it ended meanwhile
            continue
        yield int(path.parent.name), int(tail.split()[1]), head.partition("(")[2]


class Killer:
    """An environment whose one function ends the workers that were not there before."""

    def __init__(self, spared: set[int]) -> None:
        self.spared = spared

    @property
    def name(self) -> str:
        return "killer"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {"it.kill": FunctionSpec(name="it.kill")}

    def call(self, name: str, arguments: JsonObject) -> Json:
        for pid in workers() - self.spared:
            os.kill(pid, signal.SIGKILL)
        return None

    def fork(self) -> Killer:
        return self


def test_a_worker_that_dies_is_a_failure_of_its_program_and_the_next_call_works() -> None:
    killer = Killer(workers())
    with MontySandbox() as sandbox, sandbox.open(functions=Functions.of(killer)) as session:
        outcome = session.call(Module(name="tool", source="def tool():\n    env.it.kill()"), "tool", {})
        assert session.call(TOOL, "tool", {}).value == 2
    assert outcome.failure is not None
    assert outcome.failure.kind == "InterpreterCrash"
    assert [call.function for call in outcome.calls] == ["it.kill"]


def test_a_worker_that_dies_in_a_run_leaves_a_fresh_namespace() -> None:
    killer = Killer(workers())
    with MontySandbox() as sandbox, sandbox.open(functions=Functions.of(killer)) as session:
        session.run("x = 1")
        assert not session.run("env.it.kill()").ok
        outcome = session.run("x")
    assert outcome.failure is not None
    assert outcome.failure.kind == "NameError"


def test_close_ends_every_worker_and_a_closed_sandbox_starts_again() -> None:
    before = workers()
    sandbox = MontySandbox()
    for _ in range(2):
        with sandbox.open() as session:
            assert session.call(TOOL, "tool", {"x": 2}).value == 3
        assert workers() > before
        sandbox.close()
        assert workers() == before


def test_a_closed_session_refuses_work(monty_sandbox: MontySandbox) -> None:
    session = monty_sandbox.open()
    session.close()
    with pytest.raises(SandboxError, match="the session is closed"):
        session.call(TOOL, "tool", {})


def test_it_is_no_final_judge(monty_sandbox: MontySandbox) -> None:
    assert (monty_sandbox.name, monty_sandbox.final) == ("monty", False)


@pytest.mark.parametrize(
    ("suite", "part"),
    [
        ("import pytest\n\ndef test_one():\n    pass\n", "No module named 'pytest'"),
        ("def test_one(tmp_path):\n    pass\n", "'test_one' uses decorators or fixtures"),
        ("@given(1)\ndef test_one():\n    pass\n", "'test_one' uses decorators or fixtures"),
        ("class TestTool:\n    def test_one(self):\n        pass\n", "class 'TestTool' needs pytest"),
    ],
    ids=["import", "fixture", "decorator", "class"],
)
def test_what_only_pytest_can_run_is_named_as_unsupported(monty_sandbox: MontySandbox, suite: str, part: str) -> None:
    with monty_sandbox.open() as session:
        report = session.test(TOOL, {"test_tool.py": suite})
    assert report.failure is not None
    assert (report.passed, report.failure.unsupported) == (False, True)
    assert part in report.failure.message
    assert "needs Docker" in report.failure.message


def test_the_host_is_out_of_reach(monty_sandbox: MontySandbox) -> None:
    with monty_sandbox.open() as session:
        outcome = session.run("open('/etc/passwd').read()")
    assert outcome.failure is not None
    assert (outcome.value, outcome.failure.kind) == (None, "PermissionError")


def test_a_function_error_carries_no_kind_here_and_says_so(monty_sandbox: MontySandbox) -> None:
    with monty_sandbox.open() as session:
        outcome = session.run("try:\n    env.a.b()\nexcept FunctionError as error:\n    x = error.kind")
    assert outcome.failure is not None
    assert outcome.failure.unsupported


@pytest.mark.parametrize("code", ["open('/tmp/x', 'w')", "open('/etc/passwd')"])
def test_a_program_that_uses_files_needs_docker(monty_sandbox: MontySandbox, code: str) -> None:
    with monty_sandbox.open() as session:
        failure = session.run(code).failure
    assert failure is not None
    assert (failure.kind, failure.unsupported) == ("PermissionError", True)
