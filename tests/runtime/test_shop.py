"""The shop's back office: what it offers, what it refuses, and that it is the same on every machine."""

from __future__ import annotations

import hashlib
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleate.environments import ObjectEnvironment
from nucleate.shop import open_shop
from nucleate.shop import shop_errors as errors
from nucleate_sandbox import Effect, FunctionError, JsonObject, canonical

SHOP = open_shop()
ERRORS = {name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, errors.ShopError)}
MAILED = {"template": "data_export", "reference": "X-80001"}


def ask(shop: ObjectEnvironment, function: str, **arguments: Any) -> Any:
    return shop.call(function, arguments)


def every_page(shop: ObjectEnvironment, function: str, rows: str, **arguments: Any) -> list[Any]:
    found: list[Any] = []
    page: int | None = 1
    while page is not None:
        answer = ask(shop, function, page=page, **arguments)
        found, page = found + answer[rows], answer["next_page"]
    return found


def kind_of_refusal(function: str, arguments: JsonObject) -> str:
    with pytest.raises(FunctionError) as caught:
        SHOP.fork().call(function, arguments)
    return caught.value.kind


def fingerprint(shop: ObjectEnvironment) -> str:
    customers = every_page(shop, "customers.search_customers", "customers", text="")
    orders = [
        ask(shop, "orders.get_order", order_id=row["order_id"])
        for customer in customers
        for row in ask(shop, "orders.list_orders", customer_id=customer["customer_id"])["orders"]
    ]
    products = every_page(shop, "catalog.search_products", "products", text="")
    levels = [ask(shop, "stock.get_level", sku=product["sku"]) for product in products]
    return hashlib.sha256(canonical([customers, orders, products, levels]).encode()).hexdigest()[:16]


def test_every_method_is_offered_with_words_and_a_result_of_known_fields() -> None:
    assert (len(SHOP.functions), SHOP.unusable) == (38, {})
    for name, spec in SHOP.functions.items():
        assert spec.doc.endswith("."), name
        assert spec.returns["type"] == "object", name
        assert spec.returns["required"], name


def test_only_deleting_for_good_is_destructive() -> None:
    destructive = [name for name, spec in SHOP.functions.items() if spec.effect is Effect.DESTRUCTIVE]

    assert destructive == ["customers.erase_customer", "orders.purge_orders"]


def test_the_same_seed_gives_the_same_shop_and_another_seed_another() -> None:
    assert fingerprint(open_shop(7)) == fingerprint(SHOP.fork()) == "b321f6c15a9ac2fb"
    assert fingerprint(open_shop(8)) != fingerprint(SHOP)


def test_a_read_function_changes_nothing() -> None:
    shop = SHOP.fork()
    before = fingerprint(shop)

    ask(shop, "mail.list_mail")
    ask(shop, "reports.list_reports")
    ask(shop, "refunds.list_refunds", payment_id="P-40001")
    ask(shop, "stock.list_shortages", supplier_id="V-501")

    assert fingerprint(shop) == before


def test_what_happens_in_a_fork_stays_there() -> None:
    copy = SHOP.fork()

    ask(copy, "customers.erase_customer", customer_id="C-1001")
    ask(copy, "mail.send_mail", to="a@post.example", **MAILED)

    assert ask(SHOP, "customers.get_customer", customer_id="C-1001")["customer_id"] == "C-1001"
    assert ask(SHOP, "mail.list_mail") == {"letters": [], "count": 0, "next_page": None}


@pytest.mark.parametrize("page_size", [1, 7, 40, 50])
def test_pages_hold_every_row_once_whatever_their_size(page_size: int) -> None:
    rows = every_page(SHOP, "customers.search_customers", "customers", text="", page_size=page_size)

    assert [row["customer_id"] for row in rows] == [f"C-{number}" for number in range(1001, 1041)]


@pytest.mark.parametrize(
    ("function", "arguments", "kind"),
    [
        ("orders.get_order", {"order_id": "20001"}, "OrderNotFound"),
        ("customers.get_customer", {"customer_id": "C-1"}, "CustomerNotFound"),
        ("customers.find_customer_by_name", {"name": "nobody"}, "CustomerNotFound"),
        ("catalog.get_product", {"sku": "SKU-1"}, "ProductNotFound"),
        ("catalog.find_supplier", {"name": "nobody"}, "SupplierNotFound"),
        ("catalog.set_price", {"sku": "SKU-3001", "price": 0}, "InvalidAmount"),
        ("stock.list_shortages", {"supplier_id": "V-1"}, "SupplierNotFound"),
        ("stock.reorder_product", {"sku": "SKU-3001", "quantity": 0}, "InvalidAmount"),
        ("stock.adjust_level", {"sku": "SKU-3001", "change": -100000}, "InsufficientStock"),
        ("stock.release_reservation", {"reservation_id": "H-50001"}, "ReservationNotFound"),
        ("payments.get_payment", {"payment_id": "P-1"}, "PaymentNotFound"),
        ("refunds.create_refund", {"payment_id": "P-40001", "amount": 1e6, "reason": "wrong_item"}, "RefundTooLarge"),
        ("refunds.create_refund", {"payment_id": "P-40001", "amount": -1.0, "reason": "wrong_item"}, "InvalidAmount"),
        ("refunds.create_refund", {"payment_id": "P-40001", "amount": 1.0, "reason": "because"}, "InvalidArguments"),
        ("shipping.find_parcel", {"order_id": "O-20002"}, "ShipmentNotFound"),
        ("shipping.track_parcel", {"tracking_code": "TRK"}, "ShipmentNotFound"),
        ("shipping.book_parcel", {"order_id": "O-20001", "carrier": "City Couriers"}, "AlreadyShipped"),
        ("orders.cancel_order", {"order_id": "O-20001"}, "AlreadyShipped"),
        ("mail.send_mail", {"to": "a@post.example", "template": "hello", "reference": "1"}, "InvalidArguments"),
        ("mail.list_mail", {"page": 2}, "InvalidPage"),
        ("customers.search_customers", {"text": "a", "page_size": 51}, "InvalidPage"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_by_the_name_of_its_error(
    function: str, arguments: JsonObject, kind: str
) -> None:
    assert kind_of_refusal(function, arguments) == kind


def test_an_error_says_what_ids_look_like() -> None:
    with pytest.raises(FunctionError, match=r"^no order has the id '20001'; ids look like O-20001$"):
        ask(SHOP, "orders.get_order", order_id="20001")


def test_refunds_add_up_to_what_was_paid_and_not_a_cent_more() -> None:
    shop = SHOP.fork()
    paid = ask(shop, "payments.get_payment", payment_id="P-40001")["captured"]

    ask(shop, "refunds.create_refund", payment_id="P-40001", amount=0.1, reason="wrong_item")
    ask(shop, "refunds.create_refund", payment_id="P-40001", amount=round(paid - 0.1, 2), reason="wrong_item")

    assert ask(shop, "payments.get_payment", payment_id="P-40001") == {
        "payment_id": "P-40001",
        "order_id": "O-20001",
        "captured": paid,
        "refunded": paid,
        "status": "refunded",
    }
    with pytest.raises(FunctionError, match=r"only 0\.0 of payment 'P-40001' can be refunded"):
        ask(shop, "refunds.create_refund", payment_id="P-40001", amount=0.01, reason="wrong_item")
    with pytest.raises(FunctionError, match="payment 'P-40001' is refunded"):
        ask(shop, "payments.void_payment", payment_id="P-40001")


def test_a_cancelled_order_can_be_neither_changed_nor_sent() -> None:
    shop = SHOP.fork()
    order_id = ask(shop, "orders.list_open_orders", customer_id="C-1001")["orders"][0]["order_id"]

    assert ask(shop, "orders.cancel_order", order_id=order_id)["status"] == "cancelled"

    for function, arguments in [
        ("orders.cancel_order", {"order_id": order_id}),
        ("shipping.book_parcel", {"order_id": order_id, "carrier": "City Couriers"}),
    ]:
        with pytest.raises(FunctionError, match="was cancelled") as caught:
            shop.call(function, arguments)
        assert caught.value.kind == "AlreadyCancelled"


def test_a_booked_parcel_can_be_found_and_tracked() -> None:
    shop = SHOP.fork()
    order_id = ask(shop, "orders.list_open_orders", customer_id="C-1001")["orders"][0]["order_id"]

    parcel = ask(shop, "shipping.book_parcel", order_id=order_id, carrier="City Couriers")

    assert ask(shop, "shipping.find_parcel", order_id=order_id) == parcel
    assert ask(shop, "shipping.track_parcel", tracking_code=parcel["tracking_code"])["status"] == "in transit"
    assert ask(shop, "orders.get_order", order_id=order_id)["status"] == "shipped"


def test_released_stock_is_back_on_the_shelf_once() -> None:
    shop = SHOP.fork()
    order_id = ask(shop, "orders.list_open_orders", customer_id="C-1001")["orders"][0]["order_id"]
    reservation_id = ask(shop, "orders.get_order", order_id=order_id)["reservation_id"]

    released = ask(shop, "stock.release_reservation", reservation_id=reservation_id)

    before = ask(SHOP, "stock.get_level", sku=released["sku"])["on_hand"]
    assert ask(shop, "stock.get_level", sku=released["sku"])["on_hand"] == before + released["quantity"]
    with pytest.raises(FunctionError, match="nothing is held"):
        ask(shop, "stock.release_reservation", reservation_id=reservation_id)


def test_a_reordered_product_is_short_no_more() -> None:
    shop = SHOP.fork()
    first, *others = ask(shop, "stock.list_shortages", supplier_id="V-502")["items"]

    ask(shop, "stock.reorder_product", sku=first["sku"], quantity=first["missing"])

    assert ask(shop, "stock.list_shortages", supplier_id="V-502")["items"] == others


def test_a_purge_deletes_old_finished_orders_and_no_open_ones() -> None:
    shop = SHOP.fork()
    still_open = ask(shop, "orders.list_orders_by_status", status="open")["count"]

    deleted = ask(shop, "orders.purge_orders", before="2026-12-31")

    assert deleted == {"deleted": ask(SHOP, "orders.list_orders_by_status", status="delivered")["count"]}
    assert ask(shop, "orders.list_orders_by_status", status="delivered")["count"] == 0
    assert ask(shop, "orders.list_orders_by_status", status="open")["count"] == still_open


@given(st.data())
def test_whatever_is_asked_the_answer_fits_the_schema_or_is_a_refusal(data: st.DataObject) -> None:
    shop = SHOP.fork()
    spec = SHOP.functions[data.draw(st.sampled_from(sorted(SHOP.functions)))]
    properties: Any = spec.parameters["properties"]
    arguments = {name: data.draw(_value(name, schema)) for name, schema in properties.items()}

    result, refusal = _answer(shop, spec.name, arguments)

    assert refusal is None or refusal in ERRORS
    if refusal is None:
        jsonschema.validate(result, spec.returns)


def _answer(shop: ObjectEnvironment, function: str, arguments: JsonObject) -> tuple[Any, str | None]:
    try:
        return shop.call(function, arguments), None
    except FunctionError as error:
        return None, error.kind


IDS = {
    "customer_id": ["C-1001", "C-1040", "C-0"],
    "order_id": ["O-20001", "O-20002", "O-20005", "O-0"],
    "sku": ["SKU-3001", "SKU-3048", "SKU-0"],
    "supplier_id": ["V-501", "V-0"],
    "payment_id": ["P-40001", "P-0"],
    "reservation_id": ["H-50002", "H-0"],
}


def _value(name: str, schema: Any) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if name in IDS:
        return st.sampled_from(IDS[name])
    if schema["type"] == "integer":
        return st.integers(-60, 60)
    return st.floats(-50, 50) if schema["type"] == "number" else st.sampled_from(["", "a", "2026-02-01"])
