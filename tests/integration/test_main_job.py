"""The main job through the front door: experience in, tested tools out, tools called."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Recording, Runtime, Settings, ToolFailed
from nucleate_sandbox import DockerSandbox, MontySandbox, Sandbox
from nucleate_tool_library import State
from tests.integration.desk import CUSTOMERS, Desk, query, solve


def _runtime(folder: Path, sandbox: Sandbox, *, allow_provisional: bool = False) -> Runtime:
    chosen = Settings(database=str(folder / "nucleate.db"), allow_provisional=allow_provisional, worker="inline")
    return Runtime(Desk(), settings=chosen, sandbox=sandbox)


def _live(runtime: Runtime, tasks: range) -> None:
    for index in tasks:
        with runtime.record(query(index), task_id=f"task-{index}") as run:
            solve(run, index)


@pytest.mark.docker
def test_five_distinct_tasks_become_one_active_tool_that_does_the_sixth(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    with _runtime(tmp_path, docker_sandbox) as runtime:
        _live(runtime, range(4))
        assert runtime.library.tools() == ()
        _live(runtime, range(4, 5))
        (tool,) = runtime.library.tools()
        assert (tool.state, tool.version.capabilities) == (
            State.ACTIVE,
            ("desk.find_customer", "desk.notify", "desk.open_ticket"),
        )
        with runtime.record(query(5), task_id="task-5") as run:
            (offered,) = run.tools
            result = run.call(offered.version.name, {"email": "fay@desk.test", "text": "lost the charger"})
        assert "t-c-fay-16-16" in str(result)
        assert [step.function for step in runtime.memory.trajectory("task-5").steps] == [tool.name]
        assert runtime.library.tool(tool.name).uses == 1


@pytest.mark.slow
def test_without_docker_a_tool_stays_a_candidate_and_serves_only_where_that_is_allowed(
    tmp_path: Path, monty_sandbox: MontySandbox
) -> None:
    with _runtime(tmp_path, monty_sandbox) as runtime:
        _live(runtime, range(5))
        (tool,) = runtime.library.tools()
        assert (tool.state, tool.version.verdict["decision"]) == (State.CANDIDATE, "provisional")
        assert runtime.tools_for(query(5)) == ()
    with _runtime(tmp_path, monty_sandbox, allow_provisional=True) as runtime:
        (offered,) = runtime.tools_for(query(5))
        assert offered.__name__ == tool.name
        assert "t-c-fay-16-3" in str(offered(email="fay@desk.test", text="hum"))
        with pytest.raises(ToolFailed, match="LookupError"):
            offered(email="nobody@desk.test", text="hum")


def test_one_query_asked_again_and_again_never_becomes_a_tool(tmp_path: Path, monty_sandbox: MontySandbox) -> None:
    with _runtime(tmp_path, monty_sandbox) as runtime:
        for number in range(8):
            with runtime.record(query(0), task_id=f"again-{number}") as run:
                solve(run, 0)
        assert (runtime.memory.entries(kind="plan"), runtime.library.tools()) == ([], ())


def test_a_task_that_ends_with_an_exception_is_stored_as_failed(tmp_path: Path, monty_sandbox: MontySandbox) -> None:
    with _runtime(tmp_path, monty_sandbox) as runtime:
        with pytest.raises(LookupError), runtime.record("divide", task_id="bad") as run:
            _give_up(run)
        stored = runtime.memory.trajectory("bad")
        assert (stored.success, [step.function for step in stored.steps]) == (False, ["desk.find_customer"])


def _give_up(run: Recording) -> None:
    run.env.desk.find_customer(email=next(iter(CUSTOMERS)))
    raise LookupError
