"""Whole lists, parts of lists, and pages of lists."""

from __future__ import annotations

from functools import partial

from nucleate_codifier.values import Finding
from tests.codifier.trace import choices as chosen
from tests.codifier.trace.recordings import cancelled_in_words, copied_text, each, read_orders
from tests.codifier.trace.runs import findings, source


def test_a_call_for_some_elements_of_a_list_becomes_a_loop_with_a_condition() -> None:
    assert (
        source(each(chosen.pending_orders, count=6))
        == '''from typing import Any


def cancel_orders_for_user(user_id: str) -> list[dict[str, Any]]:
    """Get a user; then cancel an order, for each of the user's orders.

    Args:
        user_id: The user id.

    Returns:
        The list of results of `cancel_order`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    return [
        env.desk.cancel_order(order_id=order["id"], reason="no need")
        for order in user["orders"]
        if order["status"] == "pending"
    ]
'''
    )


def test_a_condition_that_the_query_states_becomes_a_parameter() -> None:
    assert (
        source(each(partial(chosen.pending_orders, stated=True), count=6))
        == '''from typing import Any


def cancel_orders_for_user(user_id: str, status: str) -> list[dict[str, Any]]:
    """Get a user; then cancel an order, for each of the user's orders.

    Args:
        user_id: The user id.
        status: The status of the elements to go through.

    Returns:
        The list of results of `cancel_order`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    return [
        env.desk.cancel_order(order_id=order["id"], reason="no need")
        for order in user["orders"]
        if order["status"] == status
    ]
'''
    )


def test_elements_that_two_fields_tell_from_the_others_are_refused() -> None:
    assert findings(each(partial(chosen.pending_orders, also=True), count=6)) == (
        Finding(
            rule="trace/several-rules",
            message="desk.cancel_order is called for some elements of a list, which 'status' and 'unpaid' tell from the others alike in every run",
            fix="Record a run in which an element has the same 'status' as those, and another 'unpaid'.",
        ),
    )


def test_a_field_of_every_element_is_passed_on_as_a_list_and_as_a_sum() -> None:
    assert (
        source(each(chosen.packed_order, count=6))
        == '''from typing import Any


def pack_for_order(order_id: str) -> dict[str, Any]:
    """Get an order, then pack an order.

    Args:
        order_id: The order id.

    Returns:
        The result of `pack`.
    """
    order = env.desk.get_order_details(order_id=order_id)
    return env.desk.pack(
        skus=[line["sku"] for line in order["lines"]], weight=sum(line["grams"] for line in order["lines"])
    )
'''
    )


def test_pages_are_asked_for_until_one_says_that_there_is_no_more() -> None:
    assert (
        source(each(chosen.offers_by_page, count=6))
        == '''from typing import Any


def buy_offers(category: str) -> list[dict[str, Any]]:
    """List offers, page by page; then buy an offer, for each of the offers.

    Args:
        category: The category.

    Returns:
        The list of results of `buy_offer`.
    """
    page_number = 1
    page = env.desk.list_offers(category=category, page=page_number)
    offers = list(page["offers"])
    while page["has_more"]:
        page_number += 1
        page = env.desk.list_offers(category=category, page=page_number)
        offers.extend(page["offers"])
    return [env.desk.buy_offer(offer_id=offer["id"]) for offer in offers]
'''
    )


def test_pages_are_asked_for_as_many_as_there_are() -> None:
    assert (
        source(each(partial(chosen.offers_by_page, way="pages"), count=6))
        == '''from typing import Any


def buy_offers(category: str) -> list[dict[str, Any]]:
    """List offers, page by page; then buy an offer, for each of the offers.

    Args:
        category: The category.

    Returns:
        The list of results of `buy_offer`.
    """
    page_number = 1
    page = env.desk.list_offers(category=category, page=page_number)
    offers = list(page["offers"])
    while page_number < page["pages"]:
        page_number += 1
        page = env.desk.list_offers(category=category, page=page_number)
        offers.extend(page["offers"])
    return [env.desk.buy_offer(offer_id=offer["id"]) for offer in offers]
'''
    )


def test_pages_follow_the_cursor_of_the_page_before() -> None:
    assert (
        source(each(partial(chosen.offers_by_page, way="next"), count=6))
        == '''from typing import Any


def buy_offers(category: str) -> list[dict[str, Any]]:
    """List offers, page by page; then buy an offer, for each of the offers.

    Args:
        category: The category.

    Returns:
        The list of results of `buy_offer`.
    """
    page = env.desk.list_offers(category=category)
    offers = list(page["offers"])
    while page["next"]:
        page = env.desk.list_offers(category=category, cursor=page["next"])
        offers.extend(page["offers"])
    return [env.desk.buy_offer(offer_id=offer["id"]) for offer in offers]
'''
    )


def test_a_read_of_several_things_that_are_known_takes_their_list() -> None:
    assert (
        source(each(read_orders, count=6))
        == '''from typing import Any


def get_order_details_for_each(order_ids: list[str]) -> list[dict[str, Any]]:
    """Get an order, for each of the order ids.

    Args:
        order_ids: The order id, one per call of `get_order_details`.

    Returns:
        The list of results of `get_order_details`.
    """
    return [env.desk.get_order_details(order_id=order_id) for order_id in order_ids]
'''
    )


def test_a_batch_of_writes_takes_an_object_for_each() -> None:
    assert (
        source(each(cancelled_in_words, count=6))
        == '''from typing import Any, TypedDict


class Call(TypedDict):
    order_id: str
    reason: str


def cancel_order_for_each(calls: list[Call]) -> list[dict[str, Any]]:
    """Cancel an order, for each of the calls.

    Args:
        calls: An object for each `cancel_order`, with `order_id` and `reason`.

    Returns:
        The list of results of `cancel_order`.
    """
    return [env.desk.cancel_order(order_id=call["order_id"], reason=call["reason"]) for call in calls]
'''
    )


def test_a_write_after_reading_what_the_caller_lists_is_left_to_two_tools() -> None:
    assert [finding.rule for finding in findings(each(copied_text, count=6))] == ["trace/looked-around"]
