"""Tasks that follow a plan but for one step of it."""

from __future__ import annotations

from nucleate_text_memory import Step, TextMemory, Trajectory

LOOK, PAY, TELL = "desk.look", "desk.pay", "desk.tell"


def _run(number: int, *functions: str) -> Trajectory:
    steps = tuple(Step(function=name, arguments={"id": f"#{number}"}, result={"n": number}) for name in functions)
    return Trajectory(task_id=f"t{number}", query=f"Do {number}", environment="desk", steps=steps)


def _learn(memory: TextMemory, *runs: Trajectory) -> None:
    for run in runs:
        memory.store(run)
        memory.reflect(run.task_id, quorum=2)


def test_a_task_that_skips_a_step_in_between_has_an_empty_group_there(memory: TextMemory) -> None:
    _learn(memory, _run(1, LOOK, PAY, TELL), _run(2, LOOK, PAY, TELL), _run(3, LOOK, TELL))
    (plan,) = [entry for entry in memory.entries(kind="plan") if entry.signature == (LOOK, PAY, TELL)]
    assert [(one.trajectory.task_id, one.groups) for one in memory.skipping(plan.id)] == [("t3", ((0,), (), (1,)))]


def test_the_first_and_the_last_step_are_never_skipped_and_the_whole_plan_is_no_skipping(memory: TextMemory) -> None:
    _learn(memory, _run(1, LOOK, PAY, TELL), _run(2, LOOK, PAY, TELL), _run(3, LOOK, PAY), _run(4, PAY, TELL))
    plans = [entry for entry in memory.entries(kind="plan") if entry.signature == (LOOK, PAY, TELL)]
    assert [memory.skipping(plan.id) for plan in plans] == [[]]


def test_a_plan_between_two_calls_of_one_function_has_no_shorter_form(memory: TextMemory) -> None:
    _learn(memory, _run(1, LOOK, PAY, LOOK), _run(2, LOOK, PAY, LOOK), _run(3, LOOK, LOOK))
    plans = [entry for entry in memory.entries(kind="plan") if entry.signature == (LOOK, PAY, LOOK)]
    assert [memory.skipping(plan.id) for plan in plans] == [[]]
