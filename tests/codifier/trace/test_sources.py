"""Whole sources: what the trace codifier writes for each kind of data flow."""

from __future__ import annotations

from tests.codifier.trace import recordings as recorded
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import FIND, source


def test_a_call_for_every_element_of_a_list_becomes_a_loop() -> None:
    assert (
        source(each(recorded.orders_of_a_user))
        == '''from typing import Any


def user_orders_by_email(email: str) -> list[dict[str, Any]]:
    """Find a user's id by email; get a user; then get an order, for each of the user's orders.

    Args:
        email: The email.

    Returns:
        The list of results of `get_order_details`.
    """
    user_id = env.desk.find_user_id_by_email(email=email)
    user = env.desk.get_user_details(user_id=user_id)
    return [env.desk.get_order_details(order_id=order_id) for order_id in user["orders"]]
'''
    )


def test_a_value_used_twice_is_one_parameter_and_an_equal_text_is_a_constant() -> None:
    assert (
        source(each(recorded.cancelled_order))
        == '''from typing import Any


def cancel_order_and_notify(order_id: str, reason: str) -> dict[str, Any]:
    """Get an order, cancel an order, then write to a user.

    Args:
        order_id: The order id.
        reason: The reason.

    Returns:
        The result of `cancel_order`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    cancelled_order = env.desk.cancel_order(order_id=order_id, reason=reason)
    env.desk.notify(user_id=order["user"]["id"], text="Your order is cancelled.")
    return cancelled_order
'''
    )


def test_the_fields_of_an_object_come_each_from_their_own_place() -> None:
    assert (
        source(each(recorded.shipped_order, count=10))
        == '''from typing import Any


def get_and_ship_order(order_id: str, city: str) -> dict[str, Any]:
    """Get an order, then ship an order.

    Args:
        order_id: The order id.
        city: The city.

    Returns:
        The result of `ship_order`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    return env.desk.ship_order(
        order_id=order_id,
        parcel={
            "city": city,
            "weight": order["lines"][0]["weight"],
            "carrier": {"name": "post"},
            "tags": [order["lines"][0]["sku"], "frail"],
            "insured": True,
        },
    )
'''
    )


def test_an_argument_left_out_in_some_runs_is_optional() -> None:
    assert (
        source(each(recorded.ticket_for_an_order))
        == '''from typing import Any


def create_ticket_for_order(order_id: str, priority: int | None = None) -> dict[str, Any]:
    """Get an order, then open a ticket.

    Args:
        order_id: The order id.
        priority: The priority; left out where None.

    Returns:
        The result of `create_ticket`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    if priority is None:
        return env.desk.create_ticket(title=order["label"])
    else:
        return env.desk.create_ticket(title=order["label"], priority=priority)
'''
    )


def test_lists_inside_a_list_become_one_nested_loop() -> None:
    assert (
        source(each(recorded.products_of_a_user))
        == '''from typing import Any


def user_products(user_id: str) -> list[dict[str, Any]]:
    """Get a user; then get a product, for each of the user's items.

    Args:
        user_id: The user id.

    Returns:
        The list of results of `get_product_details`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    return [
        env.desk.get_product_details(product_id=item["product"]) for order in user["orders"] for item in order["items"]
    ]
'''
    )


def test_an_element_is_chosen_by_the_field_that_the_query_states() -> None:
    assert (
        source(each(recorded.product_of_a_line))
        == '''from typing import Any


def notify_and_get_product_details_for_order(order_id: str, user_id: str, text: str) -> dict[str, Any]:
    """Get an order, write to a user, then get a product.

    Args:
        order_id: The order id.
        user_id: The user id.
        text: The text.

    Returns:
        The result of `get_product_details`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    env.desk.notify(user_id=user_id, text=text)
    return env.desk.get_product_details(product_id=_find(order["lines"], "sku", text)["product"])
'''
        + FIND
    )


def test_the_keys_of_an_object_can_be_looped_over() -> None:
    assert (
        source(each(recorded.basket_of_a_user))
        == '''from typing import Any


def user_products(user_id: str) -> list[dict[str, Any]]:
    """Get a user; then get a product, for each of the keys of the user's basket.

    Args:
        user_id: The user id.

    Returns:
        The list of results of `get_product_details`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    return [env.desk.get_product_details(product_id=product_id) for product_id in user["basket"]]
'''
    )


def test_repeated_values_of_the_query_become_a_list_parameter() -> None:
    assert (
        source(each(recorded.cancelled_orders))
        == '''from typing import Any


def cancel_orders_for_user(user_id: str, order_ids: list[str]) -> list[dict[str, Any]]:
    """Get a user; then cancel an order, for each of the order ids.

    Args:
        user_id: The user id.
        order_ids: The order id, one per call of `cancel_order`.

    Returns:
        The list of results of `cancel_order`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    return [env.desk.cancel_order(order_id=order_id, reason=user["why"]) for order_id in order_ids]
'''
    )


def test_a_loop_whose_calls_return_nothing_is_a_plain_for() -> None:
    assert (
        source(each(recorded.told_team))
        == '''def notify_each_for_user(user_id: str) -> None:
    """Get a user; then write to a user, for each of the user's team.

    Args:
        user_id: The user id.
    """
    user = env.desk.get_user_details(user_id=user_id)
    for each_user_id in user["team"]:
        env.desk.notify(user_id=each_user_id, text="Hello.")
'''
    )
