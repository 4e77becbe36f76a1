"""What real runs may teach: not one customer's ids, not the first of several rows, not what a later run contradicts."""

from __future__ import annotations

from dataclasses import replace

from nucleate_codifier.trace import Codified
from nucleate_codifier.trace.carry_out.contradicting import contradiction
from nucleate_sandbox import Json
from nucleate_text_memory import Trajectory
from tests.codifier.trace.recordings import NAMES, cancelled_order, each
from tests.codifier.trace.runs import DESK, compiled, occurrence, rule, run, source, step


def _one_customer(number: int, _: str) -> Trajectory:
    """Other words and other people beside it, but always the same order and the same user."""
    return run(
        number,
        f"Please, {number} times now: send my order back",
        step("get_order_details", {"id": "#W4779", "user": {"id": "mia_771"}}, order_id="#W4779"),
        step("notify", user_id="mia_771", text="Your order comes back."),
    )


def _an_order_of(number: int, name: str, *, which: int, orders: int) -> Trajectory:
    """A user has several orders; one is cancelled, and nothing that was said tells it from the others."""
    user, listed = f"{name}_{number}71", [f"#W{number}{index}9" for index in range(orders)]
    return run(
        number,
        f"{user} has changed their mind about an order",
        step("get_user_details", {"id": user, "name": {"first": name}, "orders": [*listed]}, user_id=user),
        step("cancel_order", {"status": "cancelled"}, order_id=listed[which], reason="changed mind"),
    )


def test_what_was_always_one_customer_is_no_tool() -> None:
    assert rule(each(_one_customer, count=6)) == (
        "trace/too-few-runs",
        "1 groups of different inputs; a tool needs two to compile from and one to hold out",
    )


def test_the_first_of_several_orders_is_no_tool_although_the_first_was_always_meant() -> None:
    found, message = rule([_an_order_of(n, name, which=0, orders=2) for n, name in enumerate(NAMES[:8])])
    assert found == "trace/no-common-source"
    assert message.startswith("'order_id' of desk.cancel_order is taken from earlier results, in no way that holds")


def test_a_rule_that_holds_in_enough_groups_to_be_no_chance_is_learned() -> None:
    made = source([_an_order_of(n, name, which=0, orders=4) for n, name in enumerate(NAMES[:12])])
    assert 'order_id=user["orders"][0]' in made


def test_a_read_for_some_of_a_list_becomes_one_for_all_since_reads_change_nothing() -> None:
    def run_of(number: int, name: str) -> Trajectory:
        user, orders = f"{name}_{number}71", [f"#W{number}{index}9" for index in range(3)]
        looked_at = orders[::-1] if number % 2 else orders[number % 3 : number % 3 + 1]
        return run(
            number,
            f"What has {user} ordered?",
            step("get_user_details", {"id": user, "name": name, "orders": [*orders]}, user_id=user),
            *[step("get_order_details", {"id": order}, order_id=order) for order in looked_at],
        )

    made = source(each(run_of, count=12))
    assert "def user_orders(user_id: str)" in made
    assert 'for order_id in user["orders"]' in made
    assert 'return {"user": user, "orders": orders}' in made


def test_failed_runs_count_never() -> None:
    failed = [replace(one, success=False) for one in each(cancelled_order, count=6)]
    assert rule(failed)[0] == "trace/too-few-runs"


def test_a_judged_run_that_writes_something_else_speaks_against_a_tool() -> None:
    outcome = compiled(each(cancelled_order, count=6))
    assert isinstance(outcome, Codified)
    other = _cancelled(told="someone_else_88")
    assert contradiction(outcome.template, occurrence(other), DESK) == (
        "the tool would call desk.notify(user_id='ann_771', text='Your order is cancelled.'), which the run did not"
    )
    for unlike in (replace(other, success=False), replace(other, success=None), _cancelled(told="ann_771")):
        assert contradiction(outcome.template, occurrence(unlike), DESK) is None


def test_one_contradicting_run_refuses_a_tool_that_writes() -> None:
    odd = replace(_cancelled(told="someone_else_88"), task_id="odd")
    runs = [replace(one, success=True) for one in each(cancelled_order, count=12)]
    found, message = rule([*runs, odd])
    assert (found, message.startswith("odd speak against it: the tool would call desk.notify(")) == (
        "trace/contradicted",
        True,
    )


def _cancelled(*, told: str) -> Trajectory:
    answer: Json = {"id": "#W755", "user": {"id": "ann_771"}}
    made = run(
        77,
        "Cancel #W755: changed mind 7",
        step("get_order_details", answer, order_id="#W755"),
        step("cancel_order", {"status": "cancelled"}, order_id="#W755", reason="changed mind 7"),
        step("notify", user_id=told, text="Your order is cancelled."),
    )
    return replace(made, success=True)
