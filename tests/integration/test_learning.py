"""Learning behind the tasks, through the front door: off and later, by selection, and past what is not there any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate_sandbox import ScriptedSandbox
from nucleate_text_memory import Step, Trajectory
from tests.integration.desk import Desk, query, solve


def opened(folder: Path, *, worker: str, theta: int = 9) -> Runtime:
    """Return a runtime that codifies nothing yet."""
    settings = Settings.model_validate({"database": str(folder / "n.db"), "worker": worker, "theta": theta})
    return Runtime(Desk(), settings=settings, sandbox=ScriptedSandbox())


def live(runtime: Runtime, count: int) -> None:
    """Let an agent do tasks."""
    for index in range(count):
        with runtime.record(query(index), task_id=f"task-{index}") as run:
            solve(run, index)


def learned(runtime: Runtime) -> tuple[list[tuple[str, str]], list[tuple[str, ...]]]:
    """Return what was learned: entries, and the tasks in B(p) of each plan."""
    entries = runtime.memory.entries()
    plans = [entry for entry in entries if entry.kind == "plan"]
    return [(entry.id, entry.body) for entry in entries], [
        runtime.recurrence.buffer(plan.id).candidates for plan in plans
    ]


@pytest.mark.slow
def test_a_thread_learns_what_the_tasks_themselves_would_have_learned(tmp_path: Path) -> None:
    found = []
    for worker in ("inline", "thread"):
        (tmp_path / worker).mkdir()
        with opened(tmp_path / worker, worker=worker) as runtime:
            live(runtime, 5)
            assert runtime.wait(120)
            found.append(learned(runtime))
    assert found[0] == found[1]
    assert found[0][1] == [("task-2", "task-3", "task-4")]


def test_what_nobody_learned_from_is_taken_up_later(tmp_path: Path) -> None:
    with opened(tmp_path, worker="off") as runtime:
        live(runtime, 3)
        assert (runtime.wait(), runtime.jobs.counts(), runtime.memory.entries()) == (False, {"queued": 9}, [])
    with opened(tmp_path, worker="off") as runtime:
        assert (runtime.resume(), runtime.wait(), runtime.resume()) == (9, True, 0)
        assert [entry.title for entry in runtime.memory.entries(kind="plan")] != []


def test_a_plan_that_was_given_counts_only_where_it_was_followed(tmp_path: Path) -> None:
    with opened(tmp_path, worker="inline") as runtime:
        live(runtime, 2)
        (plan,) = runtime.memory.entries(kind="plan")
        step = Step(function="desk.find_customer", arguments={"email": "ada@desk.test"}, result={})
        given = Trajectory(task_id="given", query="Who is Ada?", environment="desk", steps=(step,), selected=(plan.id,))
        runtime.learn(given)
        runtime.learn(Trajectory(task_id="not", query="Who is Bo?", environment="desk", steps=(step,)))
        assert runtime.recurrence.buffer(plan.id).candidates == ()


def test_a_job_for_a_plan_that_is_not_there_is_a_dead_letter_and_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path, worker="inline") as runtime:
        runtime.jobs.put("codify", "plan-none", key="codify:plan-none", lane="desk", turn=0)
        live(runtime, 1)
        (dead,) = [job for job in runtime.jobs.list() if job.state == "dead"]
        assert (dead.subject, "plan-none" in dead.error, runtime.jobs.counts()["done"]) == ("plan-none", True, 3)
    assert "is dead" in caplog.text


def test_a_plan_that_was_forgotten_meanwhile_is_not_codified(tmp_path: Path) -> None:
    with opened(tmp_path, worker="inline") as runtime:
        live(runtime, 2)
        (plan,) = runtime.memory.entries(kind="plan")
        runtime.memory.forget(plan.id, why="a test", by="me")
        runtime.jobs.put("codify", plan.id, key="again", lane="desk", turn=0)
        assert runtime.resume() == 1
