"""Elements chosen from a list: by what the task says, by rank, by kind."""

from __future__ import annotations

from functools import partial

from nucleate_codifier.values import Finding
from tests.codifier.trace import choices as chosen
from tests.codifier.trace.recordings import each
from tests.codifier.trace.runs import FIND, findings, rule, source


def test_items_are_chosen_one_by_one_by_the_field_that_the_query_states_and_the_order_by_its_id() -> None:
    assert (
        source(each(chosen.swapped_items, count=6))
        == '''from typing import Any


def swap_for_user(user_id: str, order_id: str, item_names: list[str]) -> dict[str, Any]:
    """Get a user, then swap items.

    Args:
        user_id: The user id.
        order_id: The order id.
        item_names: The name of each item.

    Returns:
        The result of `swap`.
    """
    user = env.desk.get_user_details(user_id=user_id)
    order = _find(user["orders"], "order_id", order_id)
    return env.desk.swap(
        order_id=order_id, item_ids=[_find(order["items"], "name", item_name)["item_id"] for item_name in item_names]
    )
'''
        + FIND
    )


def test_a_variant_is_chosen_by_all_of_the_options_that_the_query_states() -> None:
    assert (
        source(each(chosen.products_in_words, count=6))
        == '''from typing import Any


def buy_offer_for_product(product_id: str, offer_options: dict[str, str]) -> dict[str, Any]:
    """Get a product, then buy an offer.

    Args:
        product_id: The product id.
        offer_options: The options of the offer.

    Returns:
        The result of `buy_offer`.
    """
    product = env.desk.get_product_details(product_id=product_id)
    return env.desk.buy_offer(offer_id=_find(list(product["variants"].values()), "options", offer_options)["id"])
'''
        + FIND
    )


def test_the_least_of_a_field_is_learned_from_which_element_was_chosen() -> None:
    assert (
        source(each(chosen.cheapest_offer, count=12))
        == '''from typing import Any


def buy_offer_with_offers(category: str) -> dict[str, Any]:
    """Search the offers, then buy an offer.

    Args:
        category: The category.

    Returns:
        The result of `buy_offer`.
    """
    offers = env.desk.search_offers(category=category)
    return env.desk.buy_offer(offer_id=min(offers["offers"], key=lambda offer: offer["price"])["id"])
'''
    )


def test_the_least_is_looked_for_among_the_elements_of_one_kind() -> None:
    assert (
        source(each(partial(chosen.cheapest_offer, in_stock=True), count=12))
        == '''from typing import Any


def buy_offer_with_offers(category: str) -> dict[str, Any]:
    """Search the offers, then buy an offer.

    Args:
        category: The category.

    Returns:
        The result of `buy_offer`.
    """
    offers = env.desk.search_offers(category=category)
    return env.desk.buy_offer(
        offer_id=min([offer for offer in offers["offers"] if offer["in_stock"]], key=lambda offer: offer["price"])["id"]
    )
'''
    )


def test_one_of_several_that_fit_alike_is_never_picked() -> None:
    assert rule(each(chosen.first_in_stock, count=16))[0] == "trace/several-rules"


def test_a_choice_that_two_fields_explain_is_refused_with_the_run_that_would_decide() -> None:
    assert findings(each(partial(chosen.cheapest_offer, weighed=True), count=12)) == (
        Finding(
            rule="trace/several-rules",
            message="'offer_id' of desk.buy_offer could be that of the element with the least 'price' or the element with the least 'weight': both hold in every run",
            fix="Record a run in which the element with the least 'price' is not also the element with the least 'weight'.",
        ),
    )
