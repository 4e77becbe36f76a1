"""Strangers' names: one mapping, names that read alike kept apart."""

from __future__ import annotations

import pytest

from nucleate_text_memory.recordings.names import distinct, function_name, identifier

PLAIN = [
    ("get_order", "get_order"),
    ("get-order", "get_order"),
    ("réserver-vol", "reserver_vol"),
    ("2fa", "_2fa"),
    ("from", "from_"),
    ("", "_"),
    ("!?", "_"),
    ("查询订单", "n_bdf6d4"),
    ("取消订单", "n_0428aa"),
    ("get_订单", "get_92cc39"),
]


@pytest.mark.parametrize(("name", "plain"), PLAIN)
def test_every_name_has_an_identifier_of_ascii_letters(name: str, plain: str) -> None:
    assert identifier(name) == plain
    assert identifier(plain) == plain


def test_names_that_read_alike_are_kept_apart_whatever_their_order() -> None:
    names = ["get-order", "get order", "get_order", "list"]
    expected = {
        "get_order": "get_order",
        "get-order": "get_order_cbc8b1",
        "get order": "get_order_edbbde",
        "list": "list",
    }
    assert distinct(names) == expected
    assert distinct(reversed(names)) == expected


QUALIFIED = [
    ("search", "shop.search"),
    ("orders.search", "orders.search"),
    ("crm.contacts.find", "crm.contacts_find"),
    ("mcp__tracker__get-issue", "tracker.get_issue"),
    (".hidden", "shop.hidden"),
]


@pytest.mark.parametrize(("name", "function"), QUALIFIED)
def test_a_tools_name_is_a_function_of_a_namespace(name: str, function: str) -> None:
    assert function_name(name, "shop") == function
