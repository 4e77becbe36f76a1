"""Whether a task is solved, read from the shop's state: the agent's own word counts for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from nucleate.demo.scripts import Slots
from nucleate_sandbox import Environment, FunctionError, Json

Check: TypeAlias = Callable[[Environment, Slots], bool]


def refunded(shop: Environment, facts: Slots) -> bool:
    """The amount went back exactly once, and the customer has a letter about it."""
    refunds = _ask(shop, "refunds.list_refunds", payment_id=facts["payment_id"])["refunds"]
    amounts = [refund["amount"] for refund in refunds]
    return amounts == [facts["amount"]] and _wrote(shop, facts["email"], "refund_confirmation", refunds[0]["refund_id"])


def told(shop: Environment, facts: Slots) -> bool:
    """The customer has a letter about the parcel of the latest order."""
    return _wrote(shop, facts["email"], "shipment_status", facts["tracking_code"])


def restocked(shop: Environment, facts: Slots) -> bool:
    """Nothing of the supplier is short any more, and the supplier knows."""
    short = _ask(shop, "stock.list_shortages", supplier_id=facts["supplier_id"])["items"]
    return not short and _wrote(shop, facts["email"], "purchase_order", facts["supplier_id"])


def erased(shop: Environment, facts: Slots) -> bool:
    """The customer is gone, and was sent the data before."""
    try:
        _ask(shop, "customers.get_customer", customer_id=facts["customer_id"])
    except FunctionError as error:
        gone = error.kind == "CustomerNotFound"
        return gone and any(_about(letter, facts["email"], "data_export") for letter in _letters(shop))
    return False


def moved(shop: Environment, facts: Slots) -> bool:
    """The customer and every open order have the new address, and the customer has a letter."""
    customer_id = facts["customer_id"]
    address = {key: facts[key] for key in ("street", "postcode", "city")}
    rows = _ask(shop, "orders.list_open_orders", customer_id=customer_id)["orders"]
    orders = [_ask(shop, "orders.get_order", order_id=row["order_id"]) for row in rows]
    places = [_ask(shop, "customers.get_customer", customer_id=customer_id), *orders]
    return all(place["address"] == address for place in places) and _wrote(
        shop, facts["email"], "address_confirmation", customer_id
    )


def cancelled(shop: Environment, facts: Slots) -> bool:
    """The order is cancelled, its payment voided, and the customer has a letter."""
    order = _ask(shop, "orders.get_order", order_id=facts["order_id"])
    payment = _ask(shop, "payments.get_payment", payment_id=order["payment_id"])
    done = order["status"] == "cancelled" and payment["status"] == "voided"
    return done and _wrote(shop, facts["email"], "cancellation_notice", order["order_id"])


def reported(shop: Environment, facts: Slots) -> bool:
    """The right count is filed under the title."""
    count = _ask(shop, "orders.list_orders_by_status", status=facts["status"])["count"]
    filed = [(item["title"], item["count"]) for item in _ask(shop, "reports.list_reports")["reports"]]
    return filed.count((facts["title"], count)) == 1


def _wrote(shop: Environment, to: str, template: str, reference: str) -> bool:
    letters = [letter for letter in _letters(shop) if _about(letter, to, template)]
    return [letter["reference"] for letter in letters] == [reference]


def _about(letter: Slots, to: str, template: str) -> bool:
    return bool(letter["to"] == to and letter["template"] == template)


def _letters(shop: Environment) -> list[Slots]:
    letters: list[Slots] = []
    page: int | None = 1
    while page is not None:
        found = _ask(shop, "mail.list_mail", page=page, page_size=50)
        letters += found["letters"]
        page = found["next_page"]
    return letters


def _ask(shop: Environment, function: str, **arguments: Json) -> Any:
    return cast("Any", shop.call(function, arguments))
