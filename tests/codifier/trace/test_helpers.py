"""Small tools that call each other, and what is no tool of its own."""

from __future__ import annotations

from functools import partial

from nucleate_codifier.trace import Codified, Refusal
from nucleate_codifier.values import Finding
from tests.codifier.trace import services
from tests.codifier.trace.recordings import Recording, each
from tests.codifier.trace.runs import FIND, compiled, findings, source, tool


def _with(known: Recording, runs: Recording) -> str:
    """Return the source of a tool that is made where the tool of another recording is known."""
    outcome = compiled(each(runs, count=6), tools=[tool(compiled(each(known, count=6)))])
    assert isinstance(outcome, Codified), outcome
    return outcome.candidate.source


def test_a_tool_ends_in_the_call_of_a_tool_that_does_the_rest() -> None:
    assert (
        _with(services.orders_of_a_user, services.orders_by_email)
        == '''from typing import Any


def user_orders_by_email(email: str) -> list[dict[str, Any]]:
    """Find a user's id by email; get a user; then get an order, for each of the user's orders.

    Args:
        email: The email.

    Returns:
        The list of results of `get_order_details`.
    """
    user_id = env.desk.find_user_id_by_email(email=email)
    return user_orders(user_id=user_id)
'''
    )


def test_a_tool_begins_with_the_call_of_a_tool_that_other_plans_share() -> None:
    assert (
        _with(services.orders_of_a_user, services.product_of_an_order)
        == '''from typing import Any


def product_for_user(user_id: str, product_name: str) -> dict[str, Any]:
    """Get a user; get an order, for each of the user's orders; then get a product.

    Args:
        user_id: The user id.
        product_name: The name of the product.

    Returns:
        The result of `get_product_details`.
    """
    orders = user_orders(user_id=user_id)
    return env.desk.get_product_details(
        product_id=_find([item for order in orders for item in order["items"]], "name", product_name)["product_id"]
    )
'''
        + FIND
    )


def test_the_results_of_a_tool_that_gives_back_several_are_taken_apart() -> None:
    assert (
        _with(services.user_and_offers, services.offers_and_lead)
        == '''from typing import Any


def search_offers_and_get_user_details(user_id: str) -> dict[str, dict[str, Any]]:
    """Get a user, search the offers, then get a user.

    Args:
        user_id: The user id.

    Returns:
        An object: `offers` is the result of `search_offers`, `user_details` is the result of `get_user_details`.
    """
    found = get_user_details_and_search_offers(user_id=user_id)
    user = found["user"]
    offers = found["offers"]
    user_details = env.desk.get_user_details(user_id=user["lead"])
    return {"offers": offers, "user_details": user_details}
'''
    )


def test_a_tool_that_hides_a_result_which_is_needed_is_not_called() -> None:
    assert "user_orders(" not in _with(services.orders_of_a_user, services.letter_about_orders)


def test_what_a_tool_does_already_is_no_second_tool() -> None:
    known = tool(compiled(each(services.orders_of_a_user, count=6)))
    outcome = compiled(each(services.orders_of_a_user, count=4), tools=[known])
    assert isinstance(outcome, Refusal)
    assert outcome.findings == (
        Finding(
            rule="trace/already-a-tool",
            message="the tool 'user_orders' makes these calls already",
            fix="Call 'user_orders'.",
        ),
    )


def test_changes_of_two_things_are_no_single_tool() -> None:
    assert findings(each(services.cancelled_and_shipped, count=6)) == (
        Finding(
            rule="trace/unrelated-writes",
            message="desk.cancel_order and desk.swap change different things: each has its own 'order_id'",
            fix="Use a tool for each: a plan that makes one of these changes becomes one.",
        ),
    )


def test_a_change_of_several_things_and_one_of_another_are_no_single_tool() -> None:
    (finding,) = findings(each(services.some_cancelled_and_one_swapped, count=6))
    assert finding.rule == "trace/unrelated-writes"


def test_the_results_of_a_tool_that_are_only_given_back_are_passed_on() -> None:
    made = _with(services.user_and_offers, services.offers_in_pages)
    assert made.endswith(
        """
    found = get_user_details_and_search_offers(user_id=user_id)
    offers_2 = env.desk.list_offers(category=user_id)
    return {**found, "offers_2": offers_2}
"""
    )


def test_the_same_changes_in_words_of_the_schema_are_a_tool_without_parameters() -> None:
    assert (
        source(each(services.routine, count=6))
        == '''from typing import Any


def lock_and_start() -> dict[str, dict[str, Any]]:
    """Lock the lamps with mode LOCK, then start the lamps with mode START.

    Returns:
        An object: `lock` is the result of `lock`, `start` is the result of `start`.
    """
    lock_result = env.desk.lock(mode="LOCK")
    start_result = env.desk.start(mode="START", priority=1)
    return {"lock": lock_result, "start": start_result}
'''
    )


def test_a_change_that_no_task_asked_for_in_words_is_a_parameter_with_the_values_of_the_schema() -> None:
    assert source(each(partial(services.routine, said="Start"), count=6)).startswith(
        """from typing import Any, Literal


def lock_and_start(mode: Literal["LOCK", "OPEN"]) -> dict[str, dict[str, Any]]:
"""
    )
