"""Tools are offered when they fit: by what is asked, by what they change, by whether their arguments stand anywhere."""

from __future__ import annotations

import pytest

from nucleate.manager.moments import Moment, is_asked, knowable
from nucleate_sandbox import JsonObject
from nucleate_tool_library import ToolVersion, read_signature

SOURCE = '''\
def orders_of(customer_id: str, year: int = 2024) -> list[str]:
    """List a customer's orders."""
    return env.shop.list_orders(customer_id=customer_id)
'''


def _tool(*examples: JsonObject) -> ToolVersion:
    seen: list[JsonObject] = [{"arguments": example} for example in examples]
    signature = read_signature(SOURCE, "orders_of")
    return ToolVersion(
        name="orders_of", scope="shop", source=SOURCE, signature=signature, evidence={"seen": [*seen]}
    )  # fmt: skip


LOOKED_UP = _tool({"customer_id": "ada_lace_4471"}, {"customer_id": "bob_moss_1002"})


def test_a_tool_can_be_called_once_a_value_of_that_form_stands_somewhere() -> None:
    assert knowable(LOOKED_UP, Moment(said=("Where are my orders?",))) is False
    assert knowable(LOOKED_UP, Moment(said=("Where?",), answers=('{"id": "cyd_hill_7781"}',))) is True
    assert knowable(LOOKED_UP, Moment(said=("I am Cyd_Hill_7781.",))) is True


def test_a_value_of_another_form_is_no_argument() -> None:
    assert knowable(LOOKED_UP, Moment(said=("My order is #W7781.",))) is False


def test_forms_of_plain_words_tell_nothing() -> None:
    assert knowable(_tool({"customer_id": "ada"}), Moment(said=("ada",))) is None
    assert knowable(_tool(), Moment(said=("ada_lace_4471",))) is None


@pytest.mark.parametrize(
    ("function", "said", "asked"),
    [
        ("shop.cancel_pending_order", "Please cancel my order.", True),
        ("shop.cancel_pending_order", "I'd like a blue one, one per call.", False),
        ("shop.cancel_pending_order", "Do not cancel it; I only ask.", False),
        ("shop.cancel_pending_order", "I won't cancel, but please change the address.", False),
        ("shop.modify_order_address", "I won't cancel, but please change the address.", True),
        ("shop.exchange_items", "Can I swap it for a larger one?", True),
    ],
)
def test_words_that_name_what_a_function_does_ask_for_it(function: str, said: str, asked: bool) -> None:
    assert is_asked(function, [said]) is asked
