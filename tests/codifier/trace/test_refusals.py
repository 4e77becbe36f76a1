"""Why a plan does not become a tool: each rule, with what it names."""

from __future__ import annotations

import pytest

from nucleate_codifier.trace import Codified
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Trajectory
from tests.codifier.trace import recordings as recorded
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import compiled, rule, run, step


def test_two_runs_are_too_few() -> None:
    assert rule(each(recorded.cancelled_order, count=2)) == (
        "trace/too-few-runs",
        "2 groups of different inputs; a tool needs two to compile from and one to hold out",
    )


def test_runs_of_one_input_count_once_whatever_their_words() -> None:
    again = [run(number, f"Cancel it, {number}", *recorded.cancelled_order(1, "x").steps) for number in range(5)]
    assert rule(again)[0] == "trace/too-few-runs"


def test_an_element_chosen_by_no_shared_rule_is_refused_with_its_places() -> None:
    def run_of(number: int, name: str) -> Trajectory:
        orders = [f"#W{number}{index}9" for index in range(3)]
        return run(
            number,
            f"Cancel the one that {name}_{number}71 dislikes",
            step("get_user_details", {"orders": [*orders]}, user_id=f"{name}_{number}71"),
            step("cancel_order", {"ok": True}, order_id=orders[number % 3], reason="disliked"),
        )

    found, message = rule(each(run_of, count=6))
    assert found == "trace/no-common-source"
    assert message == (
        "'order_id' of desk.cancel_order is taken from earlier results, in no way that holds in every run: "
        "task-3: '#W309' is desk.get_user_details(…)['orders'][0]; "
        "task-0: '#W009' is desk.get_user_details(…)['orders'][0]; "
        "task-2: '#W229' is desk.get_user_details(…)['orders'][2]; "
        "task-1: '#W119' is desk.get_user_details(…)['orders'][1]"
    )


def test_the_only_element_of_every_list_leaves_first_or_each_open() -> None:
    def run_of(number: int, name: str) -> Trajectory:
        return run(
            number,
            f"Orders of {name}_{number}71",
            step("get_user_details", {"orders": [f"#W{number}9"]}, user_id=f"{name}_{number}71"),
            step("get_order_details", {"id": f"#W{number}9"}, order_id=f"#W{number}9"),
        )

    assert rule(each(run_of))[0] == "trace/only-one-element"


def test_calls_repeated_without_a_list_are_refused_with_their_counts() -> None:
    def run_of(number: int, name: str) -> Trajectory:
        tickets = [(f"broken {number}{index}", index) for index in range(1 + number % 3)]
        return run(
            number,
            f"{name}_{number}71 reports {tickets}",
            step("get_user_details", {"id": f"{name}_{number}71"}, user_id=f"{name}_{number}71"),
            *[step("create_ticket", {"ok": True}, title=title, priority=priority) for title, priority in tickets],
        )

    found, message = rule(each(run_of))
    assert found == "trace/no-common-loop"
    assert message.startswith("desk.create_ticket is repeated over no list that the runs share: task-")


def test_a_missing_required_argument_is_refused() -> None:
    def run_of(number: int, name: str) -> Trajectory:
        reason = {"reason": f"reason {number}"} if number % 2 else {}
        return run(
            number,
            f"Cancel #W{number}55 of {name}",
            step("get_order_details", {"ok": True}, order_id=f"#W{number}55"),
            step("cancel_order", {"ok": True}, order_id=f"#W{number}55", **reason),
        )

    found, message = rule(each(run_of, count=6))
    assert found == "trace/argument-missing"
    assert message.startswith("desk.cancel_order requires 'reason', which is missing in task-")


def test_a_plan_of_one_call_is_no_tool() -> None:
    runs = [
        run(number, f"Order #W{number}55", step("get_order_details", {}, order_id=f"#W{number}55"))
        for number in range(4)
    ]
    assert rule(runs) == ("trace/one-call", "the tool would make one call")


def test_a_plan_in_which_nothing_varies_is_no_tool() -> None:
    runs = [
        run(
            number,
            f"Day {number}",
            step("create_ticket", {"ok": True}, title="Lunch"),
            step("notify", user_id="all_of_us", text="Lunch"),
        )
        for number in range(4)
    ]
    assert rule(runs)[0] == "trace/nothing-varies"


def test_held_out_runs_with_another_data_flow_speak_against_the_tool() -> None:
    odd = [_told_someone(number, by_order=number not in _held_out()) for number in range(4)]
    assert rule(odd)[0] == "trace/does-not-generalise"


def test_an_unknown_function_is_named() -> None:
    runs = [
        run(number, f"Day {number}", step("fly", {}, to=f"place {number}"), step("notify", user_id="a", text="b"))
        for number in range(4)
    ]
    assert rule(runs) == ("trace/unknown-function", "no function named 'desk.fly' in the environment")


@pytest.mark.parametrize(
    ("depth", "message"),
    [
        (60, "brackets and blocks are nested more than 40 deep"),
        (600, "a recorded value is nested more deeply than Python can follow"),
    ],
    ids=["for a parser", "for Python"],
)
def test_a_literal_that_is_too_deep_is_refused_under_the_rule_of_the_parse_gate(depth: int, message: str) -> None:
    def run_of(number: int, name: str) -> Trajectory:
        parcel: JsonObject = {"inside": "a box"}
        for _ in range(depth):
            parcel = {"inside": parcel}
        order_id = f"#W{number}55"
        user = step("get_user_details", {"order": order_id}, user_id=f"{name}_{number}71")
        return run(number, f"Ship for {name}_{number}71", user, step("ship_order", order_id=order_id, parcel=parcel))

    assert rule(each(run_of)) == ("parse/nesting", message)


def _told_someone(number: int, *, by_order: bool) -> Trajectory:
    owner, other = f"owner_{number}71", f"other_{number}71"
    return run(
        number,
        f"Tell about #W{number}55",
        step("get_order_details", {"owner": owner, "other": other}, order_id=f"#W{number}55"),
        step("notify", user_id=owner if by_order else other, text="It is on its way."),
    )


def _held_out() -> set[int]:
    outcome = compiled([_told_someone(number, by_order=True) for number in range(4)])
    assert isinstance(outcome, Codified)
    return {int(example.task_id.removeprefix("task-")) for example in outcome.evidence.held_out}
