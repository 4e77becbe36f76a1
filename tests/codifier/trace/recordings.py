"""Recordings that each show one kind of data flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Trajectory
from tests.codifier.trace.runs import run, step

Recording: TypeAlias = Callable[[int, str], Trajectory]

NAMES = (
    *("ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"),
    *("ida", "jon", "kim", "leo", "mia", "ned", "oda", "pia"),
)


def each(make: Recording, *, count: int = 4) -> list[Trajectory]:
    """Return `count` runs, one per name."""
    return [make(number, name) for number, name in enumerate(NAMES[:count])]


def orders_of_a_user(number: int, name: str) -> Trajectory:
    """An email leads to a user, the user to one order or more."""
    user, orders = f"{name}_{number}71", [f"#W{number}{index}9" for index in range(1 + number % 3)]
    return run(
        number,
        f"Show what {name}@x.org ordered",
        step("find_user_id_by_email", user, email=f"{name}@x.org"),
        step("get_user_details", {"id": user, "orders": [*orders]}, user_id=user),
        *[step("get_order_details", {"id": order, "total": 5}, order_id=order) for order in orders],
    )


def cancelled_order(number: int, name: str) -> Trajectory:
    """The same order id twice, a path into a result, a constant text, a write without a result."""
    order = f"#W{number}55"
    return run(
        number,
        f"Cancel {order}: changed mind {number}",
        step("get_order_details", {"id": order, "user": {"id": f"{name}_{number}71"}}, order_id=order),
        step("cancel_order", {"status": "cancelled"}, order_id=order, reason=f"changed mind {number}"),
        step("notify", user_id=f"{name}_{number}71", text="Your order is cancelled."),
    )


def shipped_order(number: int, name: str) -> Trajectory:
    """An object argument whose fields come from the query, from a list's first element, and from nowhere."""
    order, weights = f"#W{number}55", (100.5 + number, 150.5 - number, 200.5 + number, 250.5 - number)
    lines: list[Json] = [{"sku": f"sku-{number}{index}", "weight": weight} for index, weight in enumerate(weights)]
    parcel: JsonObject = {
        "city": f"{name}town",
        "weight": 100.5 + number,
        "carrier": {"name": "post"},
        "tags": [f"sku-{number}0", "frail"],
        "insured": True,
    }
    return run(
        number,
        f"Ship {order} to {name}town",
        step("get_order_details", {"id": order, "lines": lines}, order_id=order),
        step("ship_order", {"shipped": True}, order_id=order, parcel=parcel),
    )


def ticket_for_an_order(number: int, name: str) -> Trajectory:
    """An argument that every second run leaves out."""
    order = f"#W{number}55"
    priority: JsonObject = {"priority": number} if number % 2 else {}
    return run(
        number,
        f"{order} came to {name} in pieces",
        step("get_order_details", {"id": order, "label": f"broken for {name}"}, order_id=order),
        step("create_ticket", {"open": True}, title=f"broken for {name}", **priority),
    )


def products_of_a_user(number: int, name: str) -> Trajectory:
    """A loop over the lists inside a list."""
    items = [[{"product": f"p{number}{i}{j}"} for j in range(1 + (number + i) % 2)] for i in range(1 + number % 3)]
    products = [item["product"] for group in items for item in group]
    return run(
        number,
        f"Products of {name}_{number}71",
        step("get_user_details", {"orders": [_holding(group) for group in items]}, user_id=f"{name}_{number}71"),
        *[step("get_product_details", {"name": "x"}, product_id=product) for product in products],
    )


def product_of_a_line(number: int, name: str) -> Trajectory:
    """An element chosen by a field that the query states."""
    order, kept = f"#W{number}55", [index for index in range(4) if index == 2 or (number + index) % 3]
    lines: list[Json] = [{"sku": f"sku-{number}{index}", "product": f"prod{number}{index}"} for index in kept]
    return run(
        number,
        f"Tell {name} about sku-{number}2 of {order}",
        step("get_order_details", {"lines": lines}, order_id=order),
        step("notify", user_id=f"{name}_1", text=f"sku-{number}2"),
        step("get_product_details", {"name": "x"}, product_id=f"prod{number}2"),
    )


def basket_of_a_user(number: int, name: str) -> Trajectory:
    """A loop over the keys of an object."""
    basket = {f"prod{number}{index}": index for index in range(1 + number % 3)}
    return run(
        number,
        f"Basket of {name}_{number}71",
        step("get_user_details", {"basket": {**basket}}, user_id=f"{name}_{number}71"),
        *[step("get_product_details", {"name": "x"}, product_id=product) for product in basket],
    )


def cancelled_orders(number: int, name: str) -> Trajectory:
    """A call repeated for values that only the query has."""
    orders = [f"#W{number}{index}5" for index in range(1 + number % 2)]
    return run(
        number,
        f"{name}_{number}71 cancels {' '.join(orders)}",
        step("get_user_details", {"id": f"{name}_{number}71", "why": f"reason {number}"}, user_id=f"{name}_{number}71"),
        *[step("cancel_order", {"status": "cancelled"}, order_id=order, reason=f"reason {number}") for order in orders],
    )


def told_team(number: int, name: str) -> Trajectory:
    """A loop whose calls return nothing."""
    team = [f"{name}_{number}{index}1" for index in range(1 + number % 3)]
    return run(
        number,
        f"Tell the team of lead_{number}",
        step("get_user_details", {"team": [*team]}, user_id=f"lead_{number}"),
        *[step("notify", user_id=member, text="Hello.") for member in team],
    )


def _holding(items: list[dict[str, str]]) -> JsonObject:
    return {"items": [{**item} for item in items]}


def read_orders(number: int, name: str) -> Trajectory:
    """One function called for several things that the task names."""
    orders = [f"#W{number}{index}9" for index in range(1 + number % 3)]
    found = [step("get_order_details", {"id": order, "total": 5}, order_id=order) for order in orders]
    return run(number, f"{name} asks about {' and '.join(orders)}", *found)


def cancelled_in_words(number: int, name: str) -> Trajectory:
    """One write made for several things, each with words of its own."""
    orders = [f"#W{number}{index}9" for index in range(1 + number % 3)]
    told = [(order, f"{name} has no use for {order}") for order in orders]
    calls = [step("cancel_order", {"id": order, "status": "off"}, order_id=order, reason=why) for order, why in told]
    return run(number, f"Cancel: {'; '.join(why for _, why in told)}", *calls)


def copied_text(number: int, name: str) -> Trajectory:
    """Several things are read, and what stands in the last of them is written."""
    orders = [f"#W{number}{index}9" for index in range(2)]
    notes = [f"note {number}{index}7 of {name}" for index in range(2)]
    pairs = zip(orders, notes, strict=True)
    found = [step("get_order_details", {"id": order, "note": note}, order_id=order) for order, note in pairs]
    return run(number, f"{name} asks about {orders}", *found, step("create_ticket", {"ticket": 1}, title=notes[-1]))
