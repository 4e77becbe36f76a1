"""How the scripted agent solves each family of tasks: the calls, in order, and what flows from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from nucleate_sandbox import Json

Slots: TypeAlias = Mapping[str, Any]


class ScriptCall(Protocol):
    """Calls one environment function with keyword arguments and returns its JSON result."""

    def __call__(self, function: str, /, **arguments: Json) -> Any: ...


Script: TypeAlias = Callable[[ScriptCall, Slots], None]


def refund(call: ScriptCall, slots: Slots) -> None:
    """Refund a part of an order, note it on the order and write to the customer."""
    order = call("orders.get_order", order_id=slots["order_id"])
    payment = call("payments.get_payment", payment_id=order["payment_id"])
    made = call(
        "refunds.create_refund", payment_id=payment["payment_id"], amount=slots["amount"], reason="damaged_in_transit"
    )
    call("orders.add_note", order_id=order["order_id"], kind="refund_issued", reference=made["refund_id"])
    customer = call("customers.get_customer", customer_id=order["customer_id"])
    call("mail.send_mail", to=customer["email"], template="refund_confirmation", reference=made["refund_id"])


def delivery(call: ScriptCall, slots: Slots) -> None:
    """Tell a customer where the latest order is."""
    customer = call("customers.find_customer_by_email", email=slots["email"])
    page = call("orders.list_orders", customer_id=customer["customer_id"])
    parcel = call("shipping.find_parcel", order_id=page["orders"][0]["order_id"])
    tracking = call("shipping.track_parcel", tracking_code=parcel["tracking_code"])
    call(
        "customers.log_contact",
        customer_id=customer["customer_id"],
        channel="by_mail",
        topic="delivery_question",
        reference=parcel["shipment_id"],
    )
    call("mail.send_mail", to=customer["email"], template="shipment_status", reference=tracking["tracking_code"])


def restock(call: ScriptCall, slots: Slots) -> None:
    """Order everything that a supplier's shelves lack."""
    supplier = call("catalog.find_supplier", name=slots["supplier"])
    short = call("stock.list_shortages", supplier_id=supplier["supplier_id"])
    for item in short["items"]:
        call("stock.reorder_product", sku=item["sku"], quantity=item["missing"])
    call("mail.send_mail", to=supplier["email"], template="purchase_order", reference=supplier["supplier_id"])


def erase(call: ScriptCall, slots: Slots) -> None:
    """Send a customer a copy of the personal data, then delete the customer."""
    customer = call("customers.find_customer_by_name", name=slots["name"])
    packed = call("customers.export_customer", customer_id=customer["customer_id"])
    call("mail.send_mail", to=customer["email"], template="data_export", reference=packed["export_id"])
    call(
        "customers.log_contact",
        customer_id=customer["customer_id"],
        channel="by_mail",
        topic="erasure_request",
        reference=packed["export_id"],
    )
    call("customers.erase_customer", customer_id=customer["customer_id"])


def move(call: ScriptCall, slots: Slots) -> None:
    """Send all open orders of a customer to a new address."""
    address = {key: slots[key] for key in ("street", "postcode", "city")}
    customer = call("customers.find_customer_by_phone", phone=slots["phone"])
    page = call("orders.list_open_orders", customer_id=customer["customer_id"])
    for order in page["orders"]:
        call("orders.change_address", order_id=order["order_id"], **address)
    call("customers.update_address", customer_id=customer["customer_id"], **address)
    call(
        "mail.send_mail",
        to=customer["email"],
        template="address_confirmation",
        reference=customer["customer_id"],
    )


def cancel(call: ScriptCall, slots: Slots) -> None:
    """Cancel an order that was not sent, and release its stock and its payment."""
    order = call("orders.get_order", order_id=slots["order_id"])
    customer = call("customers.get_customer", customer_id=order["customer_id"])
    call("stock.release_reservation", reservation_id=order["reservation_id"])
    call("orders.cancel_order", order_id=order["order_id"])
    call("payments.void_payment", payment_id=order["payment_id"])
    call("mail.send_mail", to=customer["email"], template="cancellation_notice", reference=order["order_id"])


def report(call: ScriptCall, slots: Slots) -> None:
    """Count the orders in a status, page by page, and file the number."""
    count = 0
    page: int | None = 1
    while page is not None:
        found = call("orders.list_orders_by_status", status=slots["status"], page=page, page_size=25)
        count, page = count + len(found["orders"]), found["next_page"]
    call("reports.file_report", title=slots["title"], count=count)
