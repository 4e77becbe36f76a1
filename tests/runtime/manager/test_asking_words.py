"""A request has a verb where requests have them; what is told, negated or taken back asks for nothing."""

from __future__ import annotations

import pytest

from nucleate.manager.asking_words import Demand, asked_for

CANCEL, ADDRESS, SEND = "shop.cancel_pending_order", "shop.modify_order_address", "slack.send_direct_message"


@pytest.mark.parametrize(
    ("function", "said", "asked"),
    [
        (CANCEL, ["Please cancel my order."], Demand(verb=True, own=True, thing=0.5)),
        (CANCEL, ["I'd like a blue one, one per call."], Demand()),
        (CANCEL, ["Do not cancel it; I only ask."], Demand(refused=True)),
        (CANCEL, ["I'd like to cancel an order.", "Wait, please don't cancel it."], Demand(refused=True)),
        (ADDRESS, ["I won't cancel, but please change the address."], Demand(verb=True, thing=0.5)),
        ("shop.exchange_items", ["Can I swap it? I'd like to swap it."], Demand(verb=True)),
        (SEND, ["Post the hobbies; they sent them by direct message."], Demand(verb=True)),
        (SEND, ["Add Ada to the channel with the fewest messages."], Demand()),
        ("mail.delete_email", ["Show me the email that was deleted."], Demand()),
    ],
)
def test_words_ask_for_what_a_function_does(function: str, said: list[str], asked: Demand) -> None:
    assert asked_for(function, said) == asked
