"""Recordings of a service desk in which plans share their beginning, and some do two things at once."""

from __future__ import annotations

from nucleate_sandbox import JsonObject
from nucleate_text_memory import Step, Trajectory
from tests.codifier.trace.runs import run, step


def orders(number: int, name: str) -> list[Step]:
    """A user, and each of the user's orders."""
    user, ids = f"{name}_{number}71", [f"#W{number}{index}9" for index in range(1 + number % 3)]
    found: list[Step] = [step("get_user_details", {"id": user, "orders": [*ids]}, user_id=user)]
    return [*found, *[step("get_order_details", _order(number, order), order_id=order) for order in ids]]


def orders_of_a_user(number: int, name: str) -> Trajectory:
    """The beginning alone."""
    return run(number, f"What did {name}_{number}71 order", *orders(number, name))


def orders_by_email(number: int, name: str) -> Trajectory:
    """The same after the user was found."""
    found = step("find_user_id_by_email", f"{name}_{number}71", email=f"{name}{number}@x.org")
    return run(number, f"What did {name}{number}@x.org order", found, *orders(number, name))


def product_of_an_order(number: int, name: str) -> Trajectory:
    """The beginning, and a product that the query names."""
    wanted = step("get_product_details", {"name": "x"}, product_id=f"prod-{number}0")
    return run(number, f"Describe the lamp-{number}0 of {name}_{number}71", *orders(number, name), wanted)


def product_and_ticket(number: int, name: str) -> Trajectory:
    """The same, and a ticket in the words of the query."""
    before = product_of_an_order(number, name)
    title = f"lamp of {name} is broken"
    return run(
        number, f"{before.query}: {title}", *before.steps, step("create_ticket", {"ticket": number}, title=title)
    )


def letter_about_orders(number: int, name: str) -> Trajectory:
    """The beginning, and a letter to someone whom the user's record names: the orders alone would not do."""
    user, *rest = orders(number, name)
    told = Step(function=user.function, arguments=user.arguments, result={**_fields(user), "lead": f"lead_{number}"})
    letter = step("notify", user_id=f"lead_{number}", text="See the orders.")
    return run(number, f"Tell the lead of {name}_{number}71", told, *rest, letter)


def user_and_offers(number: int, name: str) -> Trajectory:
    """A user, and the offers for this user: both results are given back."""
    user = f"{name}_{number}71"
    return run(
        number,
        f"What is there for {user}?",
        step("get_user_details", {"id": user, "lead": f"lead_{number}"}, user_id=user),
        step("search_offers", {"offers": [number]}, category=user),
    )


def offers_and_lead(number: int, name: str) -> Trajectory:
    """The same, and someone whom the user's record names."""
    before = user_and_offers(number, name)
    lead = step("get_user_details", {"id": f"lead_{number}"}, user_id=f"lead_{number}")
    return run(number, before.query, *before.steps, lead)


def offers_in_pages(number: int, name: str) -> Trajectory:
    """The same, and a list of offers for the user: all three results are given back."""
    before = user_and_offers(number, name)
    offers = step("list_offers", {"pages": [number]}, category=f"{name}_{number}71")
    return run(number, before.query, *before.steps, offers)


def cancelled_and_shipped(number: int, name: str) -> Trajectory:
    """Two orders, and another change for each."""
    one, other = f"#W{number}11", f"#W{number}22"
    return run(
        number,
        f"Cancel {one}, since {name} is away; swap lamp-{number} of {other}",
        step("cancel_order", {"ok": True}, order_id=one, reason=f"{name} is away"),
        step("swap", {"ok": True}, order_id=other, item_ids=[f"lamp-{number}"]),
    )


def some_cancelled_and_one_swapped(number: int, name: str) -> Trajectory:
    """Several orders, and another change for one more."""
    several, other = [f"#W{number}1{index}" for index in range(1 + number % 2)], f"#W{number}22"
    return run(
        number,
        f"Cancel {' '.join(several)}, since {name} is away; swap lamp-{number} of {other}",
        *[step("cancel_order", {"ok": True}, order_id=one, reason=f"{name} is away") for one in several],
        step("swap", {"ok": True}, order_id=other, item_ids=[f"lamp-{number}"]),
    )


def refunded_order(number: int, name: str, *, paid: bool, also: bool = False) -> Trajectory:
    """An order that is cancelled only where it was paid; `also` it was sent by post then."""
    order, sent = f"#W{number}55", {"by_post": paid} if also else {"by_post": number % 2 == 0}
    cancelled = [step("cancel_order", {"back": number}, order_id=order, reason="Sent back.")] if paid else []
    return run(
        number,
        f"{name} sent {order} back",
        step("get_order_details", {"user": f"{name}_{number}71", "paid": paid, **sent}, order_id=order),
        *cancelled,
        step("notify", user_id=f"{name}_{number}71", text="It is done."),
    )


def routine(number: int, name: str, *, priority: int = 1, said: str = "Lock and start") -> Trajectory:
    """The same changes each time, in words that the schema lists and the task says."""
    given: JsonObject = {"mode": "START", "priority": priority}
    return run(
        number,
        f"{said} the lamps for {name} {number}",
        step("lock", {"ok": True}, mode="LOCK"),
        step("start", {"ok": True}, **given),
    )


def _order(number: int, order: str) -> JsonObject:
    index = order[-2]
    return {"id": order, "items": [{"name": f"lamp-{number}{index}", "product_id": f"prod-{number}{index}"}]}


def _fields(one: Step) -> JsonObject:
    return one.result if isinstance(one.result, dict) else {}
