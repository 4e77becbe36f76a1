"""Recordings in which elements are chosen from lists: by what the task says, by rank, by kind, page by page."""

from __future__ import annotations

import random

from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step, Trajectory
from tests.codifier.trace.runs import run, step

KINDS = ("lamp", "chair", "table", "shelf")
COLOURS = ("red", "green", "blue", "black")


def swapped_items(number: int, name: str) -> Trajectory:
    """Items of one of several orders that the query names by kind; the order id stands in the query too."""
    orders: list[JsonObject] = [_order(number, index) for index in range(3)]
    wanted = orders[number % 3]
    kinds = [KINDS[(number + index) % 4] for index in range(1 + number % 2)]
    ids = [next(item["item_id"] for item in _items(wanted) if item["name"] == kind) for kind in kinds]
    order_id = wanted["order_id"]
    return run(
        number,
        f"{name}_{number}71: swap {' and '.join(kinds)} of {order_id}",
        step("get_user_details", {"orders": [*orders]}, user_id=f"{name}_{number}71"),
        step("swap", {"ok": True}, order_id=order_id, item_ids=[*ids]),
    )


def products_in_words(number: int, name: str) -> Trajectory:
    """A variant that the query describes by all of its options."""
    options: list[JsonObject] = [{"colour": colour, "size": f"{size} cm"} for colour in COLOURS for size in (120, 340)]
    variants: JsonObject = {f"{number}55{i}": {"id": f"{number}55{i}", "options": o} for i, o in enumerate(options)}
    chosen = (number * 3 + 1) % len(options)
    return run(
        number,
        f"Product prod_{number}: one in {options[chosen]['colour']} with {options[chosen]['size']} for {name}",
        step("get_product_details", {"variants": variants}, product_id=f"prod_{number}"),
        step("buy_offer", {"ok": True}, offer_id=f"{number}55{chosen}"),
    )


def cheapest_offer(number: int, name: str, *, in_stock: bool = False, weighed: bool = False) -> Trajectory:
    """The least price, of all offers or of those in stock; `weighed` offers weigh what they cost."""
    dice = random.Random(number)
    offers = [_offer(number, index, dice, weighed=weighed) for index in range(5)]
    offers[3]["in_stock"] = True
    able = [offer for offer in offers if offer["in_stock"] or not in_stock]
    best = min(able, key=lambda offer: float(str(offer["price"])))
    return run(
        number,
        f"Buy the cheapest thing for {name}-{number}",
        step("search_offers", {"offers": [*offers]}, category=f"{name}-{number}"),
        step("buy_offer", {"ok": True}, offer_id=best["id"]),
    )


def first_in_stock(number: int, name: str) -> Trajectory:
    """The first offer in stock, which is not always the first."""
    offers: list[JsonObject] = [
        {"id": f"offer-{number}{index}", "maker": f"m{index}", "in_stock": index >= number % 4} for index in range(5)
    ]
    return run(
        number,
        f"Buy anything for {name}-{number}",
        step("search_offers", {"offers": [*offers]}, category=f"{name}-{number}"),
        step("buy_offer", {"ok": True}, offer_id=f"offer-{number}{number % 4}"),
    )


def pending_orders(number: int, name: str, *, also: bool = False, stated: bool = False) -> Trajectory:
    """The orders of one status are cancelled; `also` they are the unpaid ones; `stated`, the query names the status."""
    dice = random.Random(number + 40)
    kinds = ("pending", "delivered", "lost")
    wanted = kinds[number % 3] if stated else "pending"
    orders: list[JsonObject] = [{"id": f"#W{number}{i}9", "status": dice.choice(kinds)} for i in range(5)]
    orders[1]["status"] = wanted
    if also:
        orders = [{**order, "unpaid": order["status"] == "pending"} for order in orders]
    chosen = [order for order in orders if order["status"] == wanted]
    said = f"that are {wanted}" if stated else "that can be"
    return run(
        number,
        f"Cancel the orders of {name}_{number}71 {said}",
        step("get_user_details", {"orders": [*orders]}, user_id=f"{name}_{number}71"),
        *[step("cancel_order", {"ok": True}, order_id=order["id"], reason="no need") for order in chosen],
    )


def packed_order(number: int, name: str) -> Trajectory:
    """A list argument that is a field of every line, and the sum of another."""
    order = f"#W{number}55"
    lines: list[JsonObject] = [
        {"sku": f"sku-{number}{i}", "grams": 100 + number * 7 + i} for i in range(2 + number % 3)
    ]
    return run(
        number,
        f"Pack {order} for {name}",
        step("get_order_details", {"lines": [*lines]}, order_id=order),
        step(
            "pack", {"ok": True}, skus=[line["sku"] for line in lines], weight=sum(int(str(x["grams"])) for x in lines)
        ),
    )


def offers_by_page(number: int, name: str, *, way: str = "has_more") -> Trajectory:
    """Pages until the last: told by a flag, by a count, or by the next cursor."""
    count = 1 + number % 3
    steps = [_page(number, index, count, f"{name}-{number}", way) for index in range(1, count + 1)]
    ids = [f"offer-{number}{index}{side}" for index in range(1, count + 1) for side in "ab"]
    bought = [step("buy_offer", {"ok": True}, offer_id=offer) for offer in ids]
    return run(number, f"Buy all of {name}-{number}", *steps, *bought)


def letters_to_users(number: int, name: str) -> Trajectory:
    """An id with a prefix, a full name, and a date in another order."""
    user, day = f"{name}_{number}71", 13 + number
    names: JsonObject = {"first": name.title(), "last": f"Lee{number}"}
    return run(
        number,
        f"Write to {user}",
        step("get_user_details", {"name": names, "born": f"1990-04-{day}", "order": f"W{number}88"}, user_id=user),
        step("get_order_details", {"id": f"#W{number}88"}, order_id=f"#W{number}88"),
        step("create_ticket", {"open": True}, title=f"{name.title()} Lee{number}"),
        step("notify", user_id=user, text=f"{day}/04/1990"),
    )


def early_dates(number: int, name: str) -> Trajectory:
    """A date that could be read day first and month first: the days are the months."""
    user, day = f"{name}_{number}71", f"{number + 1:02}"
    return run(
        number,
        f"Remind {user}",
        step("get_user_details", {"born": f"1990-{day}-{day}"}, user_id=user),
        step("notify", user_id=user, text=f"{day}/{day}/1990"),
    )


def _order(number: int, index: int) -> JsonObject:
    kinds = [KINDS[(number + index + place) % 4] for place in range(4)]
    items: list[Json] = [{"name": kind, "item_id": f"{kind}-{number}{index}{i}"} for i, kind in enumerate(kinds)]
    return {"order_id": f"#W{number}{index}5", "items": items}


def _items(order: JsonObject) -> list[JsonObject]:
    items = order["items"]
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _offer(number: int, index: int, dice: random.Random, *, weighed: bool) -> JsonObject:
    price = dice.randrange(100, 900) + 0.5
    weight = price if weighed else dice.randrange(1, 90)
    return {"id": f"offer-{number}{index}", "price": price, "weight": weight, "in_stock": dice.random() < 0.6}


def _page(number: int, index: int, count: int, category: str, way: str) -> Step:
    offers: list[Json] = [{"id": f"offer-{number}{index}{side}"} for side in "ab"]
    ends: JsonObject = {
        "has_more": index < count,
        "pages": count,
        "next": f"cursor-{number}{index}" if index < count else None,
    }
    by_cursor: JsonObject = {} if index == 1 else {"cursor": f"cursor-{number}{index - 1}"}
    turn: JsonObject = by_cursor if way == "next" else {"page": index}
    return step("list_offers", {"offers": offers, way: ends[way]}, category=category, **turn)
