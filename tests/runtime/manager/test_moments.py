"""Tools are offered when they fit: by what is asked, by what they change, by whether their arguments stand anywhere."""

from __future__ import annotations

from nucleate.manager.moments import Moment, in_state, knowable
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


def test_what_must_be_so_is_looked_for_in_the_answers() -> None:
    needed = [("status", "pending")]
    assert in_state(needed, Moment(said=("Cancel it.",))) == 0
    assert in_state(needed, Moment(said=("Cancel it.",), answers=('{"status": "delivered"}',))) == -1
    assert in_state(needed, Moment(said=("Cancel it.",), answers=('{"status": "delivered"}', "status: Pending"))) == 1
    assert in_state([], Moment(said=("Cancel it.",), answers=('{"status": "delivered"}',))) == 0
