"""A request has a verb where requests have them; what is told, negated or taken back asks for nothing."""

from __future__ import annotations

import pytest

from nucleate.manager.asking_words import Asked, asked_for

CANCEL, ADDRESS, SEND = "shop.cancel_pending_order", "shop.modify_order_address", "slack.send_direct_message"


@pytest.mark.parametrize(
    ("function", "said", "asked"),
    [
        (CANCEL, ["Please cancel my order."], Asked(verb=True, own=True, thing=0.5)),
        (CANCEL, ["I'd like a blue one, one per call."], Asked()),
        (CANCEL, ["Do not cancel it; I only ask."], Asked(refused=True)),
        (CANCEL, ["I'd like to cancel an order.", "Wait, please don't cancel it."], Asked(refused=True)),
        (ADDRESS, ["I won't cancel, but please change the address."], Asked(verb=True, thing=0.5)),
        ("shop.exchange_items", ["Can I swap it? I'd like to swap it."], Asked(verb=True)),
        (SEND, ["Post the hobbies; they sent them by direct message."], Asked(verb=True)),
        (SEND, ["Add Ada to the channel with the fewest messages."], Asked()),
        ("mail.delete_email", ["Show me the email that was deleted."], Asked()),
    ],
)
def test_words_ask_for_what_a_function_does(function: str, said: list[str], asked: Asked) -> None:
    assert asked_for(function, said) == asked
