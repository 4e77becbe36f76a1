"""Ground truth becomes recorded steps."""

from __future__ import annotations

import pytest

from evals.bfcl.record import NotACall, parse_call, record
from evals.bfcl.source import Task
from nucleate_text_memory import Step, StepError, Trajectory
from tests.evals.small import counter


def test_positional_arguments_get_the_names_of_the_signature() -> None:
    assert parse_call("add(2, times=3)", counter()) == Step(function="desk.add", arguments={"amount": 2, "times": 3})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("add(", "is not Python"),
        ("1 + 1", "is not a call"),
        ("subtract(1)", "calls no function"),
        ("add(1, 2, 3)", "arguments without a name"),
        ("add(**{'amount': 1})", "arguments without a name"),
        ("add(amount=draw())", "not a literal"),
    ],
)
def test_a_line_that_is_no_plain_call_is_refused_with_its_text(text: str, reason: str) -> None:
    with pytest.raises(NotACall, match=reason) as refused:
        parse_call(text, counter())
    assert repr(text) in str(refused.value)


def test_a_task_is_recorded_with_results_and_errors_and_goes_on_after_an_error() -> None:
    task = Task(id="t1", query="Count", configuration={}, ground_truth=("add(2)", "add(amount=-1)", "add(amount=1)"))
    assert record(task, counter()) == Trajectory(
        task_id="t1",
        query="Count",
        environment="bfcl",
        success=True,
        steps=(
            Step(function="desk.add", arguments={"amount": 2}, result={"total": 2, "steps": [2, 1]}),
            Step(
                function="desk.add",
                arguments={"amount": -1},
                error=StepError(kind="DeskError", message="Amount must not be negative"),
            ),
            Step(function="desk.add", arguments={"amount": 1}, result={"total": 3, "steps": [1, 1]}),
        ),
    )


def test_a_wrong_argument_is_an_error_of_the_environment() -> None:
    task = Task(id="t1", query="Count", configuration={}, ground_truth=("add(weight=2)",))
    (step,) = record(task, counter()).steps
    assert step.error is not None
    assert step.error.kind == "TypeError"
