"""Two tools that real runs once taught are refused with the same evidence when a person or a model writes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nucleate_codifier import (
    AdmissionPolicy,
    Candidate,
    Decision,
    EnvironmentView,
    Evidence,
    Example,
    LibraryView,
    admit,
)
from nucleate_sandbox import Call, Effect, FunctionSpec, Json, JsonObject, MontySandbox

TEXTS: JsonObject = {"type": "string"}
USER: JsonObject = {"type": "object", "properties": {"user_id": TEXTS}, "required": ["user_id"]}
ORDER: JsonObject = {"type": "object", "properties": {"order_id": TEXTS}, "required": ["order_id"]}
RETURN: JsonObject = {
    "type": "object",
    "properties": {"order_id": TEXTS, "item_ids": {"type": "array", "items": TEXTS}},
    "required": ["order_id", "item_ids"],
}
ROW: JsonObject = {"type": "object"}
FUNCTIONS = {
    spec.name: spec
    for spec in (
        FunctionSpec(name="shop.get_user", parameters=USER, returns=ROW, effect=Effect.READ),
        FunctionSpec(name="shop.cancel_order", parameters=ORDER, returns=ROW, effect=Effect.WRITE),
        FunctionSpec(name="shop.return_items", parameters=RETURN, returns=ROW, effect=Effect.WRITE),
    )
}

NAMED_CUSTOMER = '''from typing import Any


def return_items_of_an_order() -> dict[str, Any]:
    """Return the items of an order.

    Returns:
        The result of `return_items`.
    """
    return env.shop.return_items(order_id="#W4817", item_ids=["64-1190", "64-2207"])
'''
FIRST_ORDER = '''from typing import Any


def cancel_order_for_user(user_id: str) -> dict[str, Any]:
    """Cancel the pending order of a user.

    Args:
        user_id: The user id.

    Returns:
        The result of `cancel_order`.
    """
    user = env.shop.get_user(user_id=user_id)
    return env.shop.cancel_order(order_id=user["orders"][0]["order_id"])
'''


def of_one_customer(number: int) -> Example:
    given: JsonObject = {"order_id": "#W4817", "item_ids": ["64-1190", "64-2207"]}
    call = Call(function="shop.return_items", arguments=given, result={"order_id": "#W4817"})
    return Example(task_id=f"t{number}", query="Send my things back", arguments={}, result=call.result, calls=(call,))


def of_a_first_order(number: int) -> Example:
    user, ids = f"ann_{number}71", [f"#W{number}{index}93" for index in range(3)]
    orders: list[Json] = [{"order_id": id_, "total": total} for total, id_ in enumerate(ids)]
    read = Call(function="shop.get_user", arguments={"user_id": user}, result={"user_id": user, "orders": orders})
    cancelled = Call(function="shop.cancel_order", arguments={"order_id": ids[0]}, result={"order_id": ids[0]})
    return Example(
        task_id=f"t{number}",
        query=f"{user} wants an order cancelled",
        arguments={"user_id": user},
        result=cancelled.result,
        calls=(read, cancelled),
    )


@pytest.mark.parametrize("plan", [None, "plan-1"], ids=["written by a person", "proposed for a plan"])
@pytest.mark.parametrize(
    ("name", "source", "make", "rule"),
    [
        ("return_items_of_an_order", NAMED_CUSTOMER, of_one_customer, "generality/own-entity"),
        ("cancel_order_for_user", FIRST_ORDER, of_a_first_order, "generality/picked-row"),
    ],
    ids=["a named customer", "the first order"],
)
def test_neither_history_is_admitted_whoever_writes_it(
    name: str, source: str, make: Callable[[int], Example], rule: str, plan: str | None, monty_sandbox: MontySandbox
) -> None:
    runs = tuple(make(number) for number in range(6))
    verdict = admit(
        Candidate(name=name, scope="shop", source=source, plan_id=plan),
        library=LibraryView(),
        environment=EnvironmentView(name="shop", functions=FUNCTIONS),
        sandbox=monty_sandbox,
        evidence=Evidence(seen=runs[:4], held_out=runs[4:]),
        policy=AdmissionPolicy(),
    )
    assert verdict.decision is Decision.REJECTED
    assert rule in [finding.rule for finding in verdict.findings]
