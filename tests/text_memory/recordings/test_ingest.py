"""Recorded trajectories are read line by line; a malformed line is reported and the rest is read on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import BadLine, TextMemory, Trajectory, Utterance, read_trajectories
from tests.text_memory.runs import failed, ok, run

STEP: dict[str, Any] = {"function": "shop.find", "arguments": {"q": "tea"}, "result": [1]}
LINE: dict[str, Any] = {"task_id": "t1", "query": "find tea", "environment": "tea-shop", "steps": [STEP]}


def read(*lines: Any, environment: str | None = None) -> list[Trajectory | BadLine]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return list(read_trajectories(texts, environment=environment))


def test_a_line_becomes_a_trajectory() -> None:
    steps = [STEP, {"function": "shop.buy", "arguments": {}, "error": {"type": "SoldOut", "message": "no tea"}}]
    assert read({**LINE, "steps": steps, "outcome": {"success": True, "reward": 0.5}, "extra": 1}) == [
        Trajectory(
            task_id="t1",
            query="find tea",
            environment="tea-shop",
            steps=(ok("shop.find", [1], q="tea"), failed("shop.buy", "no tea", kind="SoldOut")),
            success=True,
            reward=0.5,
            meta={"extra": 1},
        )
    ]


@pytest.mark.parametrize(
    ("fields", "success", "reward"),
    [
        ({}, None, None),
        ({"success": False}, False, None),
        ({"reward": 1}, True, 1.0),
        ({"reward": 0.99}, False, 0.99),
        ({"outcome": {"success": True}}, True, None),
        ({"outcome": {"success": None, "reward": -1.0}}, False, -1.0),
    ],
)
def test_a_reward_of_one_is_a_success_where_nobody_judged(
    fields: dict[str, Any], success: bool | None, reward: float | None
) -> None:
    (trajectory,) = read({**LINE, **fields})
    assert isinstance(trajectory, Trajectory)
    assert (trajectory.success, trajectory.reward) == (success, reward)


def test_the_environment_given_serves_lines_that_name_none() -> None:
    unnamed = {key: value for key, value in LINE.items() if key != "environment"}
    first, second = read(unnamed, LINE, environment="other")
    assert isinstance(first, Trajectory)
    assert isinstance(second, Trajectory)
    assert (first.environment, second.environment) == ("other", "tea-shop")


def test_a_bare_function_gets_the_environment_as_its_namespace() -> None:
    bare = {**LINE, "environment": "shop", "steps": [{"function": "find", "arguments": {"q": "tea"}, "result": [1]}]}
    assert read(bare) == [run("t1", ok("shop.find", [1], q="tea"), query="find tea")]


BAD: list[tuple[Any, str]] = [
    ('{"task_id": oops}', "not JSON: Expecting value at column 13"),
    ("[1]", "a JSON object is needed, not list"),
    ('{"task_id": NaN}', "NaN is not JSON; write a number or null"),
    ('{"task_id": "a", "task_id": "b"}', "an object has the same key twice"),
    ("[" * 100_000, "maximum recursion depth exceeded"),
    ({**LINE, "task_id": 7}, "task_id: Input should be a valid string"),
    ({**LINE, "query": None}, "query: Input should be a valid string"),
    ({**LINE, "environment": None}, "the line names no environment; give one with --environment"),
    ({**LINE, "reward": 5}, "reward: Input should be less than or equal to 1"),
    ({**LINE, "steps": [{"arguments": {}}]}, "steps.0.function: Field required"),
    ({**LINE, "steps": [{**STEP, "arguments": []}]}, "steps.0.arguments: Input should be a valid dictionary"),
    (
        {**LINE, "steps": [STEP, {**STEP, "error": {"message": "no"}}]},
        "steps.1: Value error, a step has a result or an error, not both",
    ),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_a_malformed_line_is_reported_and_the_rest_goes_on(line: Any, message: str) -> None:
    first, bad, last = read(LINE, line, {**LINE, "task_id": "t2"})
    assert isinstance(first, Trajectory)
    assert isinstance(bad, BadLine)
    assert isinstance(last, Trajectory)
    assert bad.message.startswith(message)
    assert (bad.number, last.task_id) == (2, "t2")
    assert bad.excerpt == (line if isinstance(line, str) else json.dumps(line))[:120]


def test_every_fault_of_a_line_is_reported_at_once() -> None:
    (bad,) = read({"task_id": 7, "steps": "none"})
    assert isinstance(bad, BadLine)
    assert bad.message == (
        "task_id: Input should be a valid string; query: Field required; steps: Input should be a valid list"
    )


def test_empty_lines_and_a_byte_order_mark_are_passed_over_and_lines_keep_their_numbers() -> None:
    texts = ["\ufeff" + json.dumps(LINE) + "\n", "\n", "  \n", "oops\n"]
    trajectory, bad = read_trajectories(texts, start=10)
    assert isinstance(trajectory, Trajectory)
    assert isinstance(bad, BadLine)
    assert bad.number == 13


def test_lines_are_read_one_at_a_time() -> None:
    taken: list[int] = []

    def lines() -> Any:
        for number in range(3):
            taken.append(number)
            yield json.dumps({**LINE, "task_id": f"t{number}"})

    trajectories = read_trajectories(lines())
    next(trajectories)
    assert taken == [0]


def test_a_line_of_several_megabytes_is_stored_whole(memory: TextMemory) -> None:
    (trajectory,) = read({**LINE, "steps": [{**STEP, "result": ["x" * 1000] * 4000}]})
    assert isinstance(trajectory, Trajectory)
    memory.store(trajectory)
    assert memory.trajectory("t1") == trajectory


def test_a_broken_character_is_a_malformed_line() -> None:
    (bad,) = read('{"task_id": "\udcff"}')
    assert isinstance(bad, BadLine)
    assert bad.message == "character 14 of this line is not UTF-8"


def test_what_the_user_said_later_stands_before_the_calls_that_came_after_it() -> None:
    steps = [
        {**STEP, "turn": 1},
        {**STEP, "turn": 3, "by": "user"},
        {**STEP, "turn": 3, "result": "no tea", "error": True},
        {**STEP, "turn": 3, "error": False},
    ]
    line = {**LINE, "steps": steps, "user_turns": ["find tea", "green", "now", "thanks"], "group": "g1"}
    assert read(line) == [
        Trajectory(
            task_id="t1",
            query="find tea",
            environment="tea-shop",
            steps=(
                ok("shop.find", [1], q="tea"),
                failed("shop.find", "no tea", kind="EnvironmentError", q="tea"),
                ok("shop.find", [1], q="tea"),
            ),
            said=(Utterance(text="green", at=1), Utterance(text="now", at=1), Utterance(text="thanks", at=3)),
            group="g1",
        )
    ]


def test_runs_of_one_benchmarks_task_are_told_apart_by_their_files_and_trials() -> None:
    about = {"source": "s", "domain": "retail", "model": "m-1", "environment": None, "task_id": "7"}
    line = {key: item for key, item in {**LINE, **about}.items() if item is not None}
    found = [
        *read({**line, "path": "a.json", "trial": 0}),
        *read({**line, "path": "b.json", "trial": 0}),
        *read({**line, "path": "a.json", "trial": 1}),
        *read({**line, "path": "a.json", "trial": 0}),
    ]
    ids = [item.task_id for item in found if isinstance(item, Trajectory)]
    assert (len(ids), len(set(ids)), ids[0] == ids[3]) == (4, 3, True)
    assert [name.startswith(f"7-trial-{trial}-") for name, trial in zip(ids, (0, 0, 1, 0), strict=True)] == [True] * 4
    assert {item.environment for item in found if isinstance(item, Trajectory)} == {"retail"}
