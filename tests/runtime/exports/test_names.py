"""Names for providers: valid ones stay, others are mapped to one of their own, in every order."""

from __future__ import annotations

import itertools

from nucleate.exports.schemas import IDENTIFIER, SLUG, TOOL, mapped

ODD = ["shop.search", "shop search", "shop_search", "class", "9lives", "straße", "a" * 80, "a" * 79, "", "get-user"]


def test_a_valid_name_stays_and_a_dot_becomes_an_underscore() -> None:
    assert mapped(["find_order", "orders.get_order", "get-user"]) == {
        "find_order": "find_order",
        "orders.get_order": "orders_get_order",
        "get-user": "get-user",
    }


def test_every_name_gets_one_of_its_own_that_the_rule_allows() -> None:
    for rule in (TOOL, IDENTIFIER, SLUG):
        found = mapped(ODD, rule)
        assert list(found) == ODD
        assert len(set(found.values())) == len(ODD)
        assert [new for new in found.values() if not rule.fullmatch(new) or len(new) > 64] == []


def test_the_name_that_is_valid_already_keeps_it_and_the_other_is_marked() -> None:
    found = mapped(["shop.search", "shop_search"])
    assert (found["shop_search"], found["shop.search"]) == ("shop_search", "shop_search_b7766362")


def test_the_order_of_the_names_changes_nothing() -> None:
    few = ["a.b", "a b", "a_b", "a-b.c"]
    assert all(dict(mapped(order)) == dict(mapped(few)) for order in itertools.permutations(few))


def test_a_name_that_looks_like_a_marked_one_takes_it_from_nobody() -> None:
    marked = mapped(["a.b", "a b"])["a.b"]
    found = mapped(["a.b", "a b", marked])
    assert (found[marked], len(set(found.values()))) == (marked, 3)
