"""Rewritten calls are compared by everything that the API objects hold."""

from __future__ import annotations

import pytest

from evals.bfcl.source import Task, split
from evals.heldout import Comparison, compare
from nucleate_sandbox import Environment, Failure, FunctionError, JsonObject, Outcome
from nucleate_text_memory import Step
from tests.evals.small import counter

ORIGINAL = (Step(function="desk.add", arguments={"amount": 2}), Step(function="desk.draw", arguments={}))
WITH_TOOL = (Step(function="add_and_draw", arguments={"amount": 2}),)


def _add_and_draw(_name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    environment.call("desk.add", arguments)
    return Outcome(value=environment.call("desk.draw", {}))


def _add_alone(_name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    return Outcome(value=environment.call("desk.add", arguments))


def _draw_and_add(_name: str, arguments: JsonObject, environment: Environment) -> Outcome:
    environment.call("desk.draw", {})
    return Outcome(value=environment.call("desk.add", arguments))


def _fails(_name: str, _arguments: JsonObject, _environment: Environment) -> Outcome:
    return Outcome(failure=Failure(kind="KeyError", message="'total'"))


def test_a_tool_that_does_the_same_leaves_an_identical_state_with_fewer_calls() -> None:
    assert compare("t1", counter(), ORIGINAL, WITH_TOOL, call_tool=_add_and_draw) == Comparison(
        task_id="t1", before=2, after=1, identical=True, answers=True, idle=False, cut=False, tools=("add_and_draw",)
    )


def test_a_tool_that_leaves_out_a_draw_is_noticed_by_the_state_of_the_generator() -> None:
    assert compare("t1", counter(), ORIGINAL, WITH_TOOL, call_tool=_add_alone).identical is False


def test_a_tool_that_asks_in_another_order_is_noticed_though_the_state_is_the_same() -> None:
    compared = compare("t1", counter(), ORIGINAL, WITH_TOOL, call_tool=_draw_and_add)
    assert (compared.identical, compared.answers) == (True, False)


def test_a_tool_that_fails_is_reported_by_its_name() -> None:
    compared = compare("t1", counter(), ORIGINAL, WITH_TOOL, call_tool=_fails)
    assert compared.failures == ("add_and_draw: KeyError: 'total'",)
    assert compared.identical is False


def test_both_runs_start_from_the_same_untouched_state() -> None:
    start = counter()
    compare("t1", start, ORIGINAL, WITH_TOOL, call_tool=_add_and_draw)
    assert start.state() == counter().state()


def test_an_unknown_function_is_an_error_that_names_it() -> None:
    with pytest.raises(FunctionError, match=r"desk\.sub"):
        counter().call("desk.sub", {})


def test_a_split_is_the_same_for_the_same_seed_and_shares_no_task() -> None:
    tasks = [Task(id=f"t{number}", query="", configuration={}, ground_truth=()) for number in range(10)]
    stream, held_out = split(tasks, seed=3, size=6)
    assert split(tasks, seed=3, size=6) == (stream, held_out)
    assert sorted(task.id for task in [*stream, *held_out]) == [f"t{number}" for number in range(10)]
    assert len(stream) == 6
