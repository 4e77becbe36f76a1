"""What is one input of a plan, and which inputs are one group: told by what happened, not by words."""

from __future__ import annotations

from dataclasses import replace

from nucleate_text_memory import Step, Trajectory, count_groups, input_of
from tests.text_memory.runs import ok, run


def _found(name: str, *orders: str) -> Step:
    user = {"user_id": f"{name}_1", "orders": [*orders]}
    return ok("shop.find_user", user, email=f"{name}@x.org")


def _order(order: str, name: str) -> Step:
    return ok("shop.get_order", {"order_id": order, "user_id": f"{name}_1", "status": "pending"}, order_id=order)


def _cancel(order: str) -> Step:
    return ok("shop.cancel", {"status": "cancelled"}, order_id=order)


def _key(trajectory: Trajectory, first: int) -> str:
    return input_of(trajectory, [(first,), (first + 1,)])


def test_two_trials_of_which_one_looks_around_more_are_one_input() -> None:
    straight = run("t1", _order("#W123", "ann"), _cancel("#W123"))
    around = run("t2", _found("ann", "#W123", "#W124"), _order("#W123", "ann"), _cancel("#W123"))
    keys = [_key(straight, 0), _key(around, 1)]
    assert keys[0].split()[0] == keys[1].split()[0]
    assert count_groups(keys) == 1


def test_two_orders_of_one_customer_are_two_inputs_of_one_group() -> None:
    keys = [_key(run(f"t{order}", _order(order, "ann"), _cancel(order)), 0) for order in ("#W123", "#W124")]
    assert keys[0].split()[0] != keys[1].split()[0]
    assert count_groups(keys) == 1


def test_three_customers_are_three_groups() -> None:
    runs = [run(name, _order(f"#W{n}23", name), _cancel(f"#W{n}23")) for n, name in enumerate(("ann", "bob", "cleo"))]
    assert count_groups(_key(one, 0) for one in runs) == 3


def test_a_group_that_the_caller_names_is_one_whatever_was_looked_up() -> None:
    runs = [run(name, _order(f"#W{n}23", name), _cancel(f"#W{n}23")) for n, name in enumerate(("ann", "bob"))]
    assert count_groups(_key(replace(one, group="g1"), 0) for one in runs) == 1
