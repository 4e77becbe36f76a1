"""Trajectories are stored whole or not at all, once, and come back as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, event

from nucleate_text_memory import MemoryFault, TaskConflict, TextMemory, UnknownScope, UnknownTask, Utterance, input_key
from tests.text_memory.database import fail_at
from tests.text_memory.runs import failed, ok, run

RUN = run(
    "t1",
    ok("shop.find", {"ids": [1, 2.5, None, True], "name": "Zoë 茶"}, q="tea", deep={"a": [{"b": []}]}),
    failed("shop.buy", "Error: sold out", kind="SoldOut", id=1),
    ok("cheapest", "x"),
    success=False,
)


def test_a_trajectory_comes_back_as_it_was_stored(memory: TextMemory) -> None:
    spoken = replace(RUN, said=(Utterance(text="cheap, please", at=1),), group="tea")
    assert memory.store(spoken) is True
    assert memory.trajectory("t1") == spoken


def test_storing_the_same_trajectory_again_changes_nothing(memory: TextMemory) -> None:
    memory.store(RUN)
    assert memory.store(RUN) is False
    assert memory.trajectories("shop") == [RUN]


def test_another_trajectory_under_a_known_task_id_is_refused(memory: TextMemory) -> None:
    memory.store(RUN)
    with pytest.raises(TaskConflict) as refused:
        memory.store(replace(RUN, success=True))
    assert str(refused.value) == "task 't1' has another trajectory already; store this one under a new task id"
    assert memory.trajectory("t1") == RUN


@pytest.mark.parametrize("beginning", ["INSERT INTO trajectory", "INSERT INTO step", "INSERT INTO candidate_evidence"])
def test_a_process_that_dies_while_storing_leaves_nothing(engine: Engine, beginning: str) -> None:
    memory, listener = TextMemory(engine), fail_at(engine, beginning)
    two_calls = replace(RUN, steps=(*RUN.steps[:1], ok("shop.pay")))
    with pytest.raises(KeyboardInterrupt):
        memory.store(two_calls)
    event.remove(*listener)
    assert (memory.scopes(), memory.task_ids()) == ([], [])
    assert memory.store(two_calls) is True


def test_trajectories_come_in_the_order_in_which_they_were_stored(memory: TextMemory) -> None:
    runs = [run(f"t{number}", environment="shop") for number in (3, 1, 2)]
    for trajectory in [*runs, run("other", environment="desk")]:
        memory.store(trajectory)
    assert memory.trajectories("shop") == runs
    assert memory.task_ids() == ["t3", "t1", "t2", "other"]
    assert memory.task_ids("desk") == ["other"]
    assert memory.scopes() == ["desk", "shop"]


def test_an_unknown_task_is_named(memory: TextMemory) -> None:
    with pytest.raises(UnknownTask, match=r"no trajectory of task 'nope'; store it first"):
        memory.trajectory("nope")


@pytest.mark.parametrize("ask", [TextMemory.trajectories, TextMemory.task_ids, TextMemory.entries])
def test_an_unknown_scope_is_an_error_that_lists_the_known_ones(memory: TextMemory, ask: Any) -> None:
    memory.store(RUN)
    with pytest.raises(UnknownScope, match=r"no scope 'shoq'; known scopes: 'shop'"):
        ask(memory, "shoq")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}])
def test_a_value_that_is_not_json_is_refused_and_leaves_nothing(memory: TextMemory, value: Any) -> None:
    with pytest.raises(MemoryFault, match="not a JSON value"):
        memory.store(run("t1", ok("shop.find", value)))
    assert memory.scopes() == []


def test_an_input_is_distinct_by_its_words_not_by_case_or_space() -> None:
    assert input_key("Cancel  order\n#W12 ") == input_key("cancel order #w12")
    assert input_key("Cancel order #W12") != input_key("Cancel order #W13")


def test_what_a_recording_says_beside_is_kept_without_its_secrets(memory: TextMemory) -> None:
    meta: Any = {"model": "small-1", "session": {"cwd": "/work", "api_key": "k-1234567890"}, "turns": 3}
    memory.store(replace(run("t1", ok("shop.a")), meta=meta))
    kept = {"model": "small-1", "session": {"cwd": "/work", "api_key": "[redacted:api_key]"}, "turns": 3}
    assert memory.trajectory("t1").meta == kept
    assert memory.store(run("t1", ok("shop.a"))) is False
