"""Entries are found again: by meaning, by rare literal words, in other scripts, and in one scope only."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from nucleate_text_memory import Draft, EmbedderChanged, Entry, Kind, TextMemory, UnknownScope
from tests.text_memory.runs import LetterEmbedder, MissingEmbedder

TEXTS = {
    "refund": "Refund an order: look up the order, check that it was delivered, give the money back.",
    "invite": "Invite colleagues to a meeting: find a free slot, book the room, send the invitations.",
    "error": "shop.pay fails with E-4711 when the card was issued abroad.",
    "tea": "顧客の注文をキャンセルする前に在庫を確認する。",
}


def fill(memory: TextMemory, scope: str = "shop", kind: Kind = Kind.FACT) -> dict[str, Entry]:
    return {
        name: memory.add(Draft(kind=kind, scope=scope, title=name, body=body, source="user", signature=(name,)))
        for name, body in TEXTS.items()
    }


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("reimburse a customer for a purchase that arrived", "refund"),
        ("schedule an appointment with the team", "invite"),
        ("what does E-4711 mean?", "error"),
        ("注文のキャンセル", "tea"),
        ("shopPay", "error"),
    ],
)
def test_the_entry_that_answers_comes_first(memory: TextMemory, query: str, best: str) -> None:
    entries = fill(memory)
    assert memory.select(query, scope="shop", limit=1)[0].entry == entries[best]


def test_a_selected_entry_says_why_it_was_found(memory: TextMemory) -> None:
    fill(memory)
    reasons = memory.select("what does E-4711 mean?", scope="shop", limit=1)[0].reasons
    assert {reason.primitive: reason.why for reason in reasons} == {
        "lexical": "words e, 4711",
        "dense": "meaning",
        "entity": "entities e-4711",
    }


def test_a_change_by_another_process_is_seen_by_the_next_selection(memory: TextMemory, engine: Engine) -> None:
    entries, other = fill(memory), TextMemory(engine)
    assert memory.select("refund the order", scope="shop", limit=1)[0].entry == entries["refund"]
    other.invalidate(entries["refund"].id, why="old")
    assert entries["refund"] not in [item.entry for item in memory.select("refund the order", scope="shop")]
    new = other.add(Draft(kind=Kind.FACT, scope="shop", title="refund twice", body="never", source="user"))
    assert memory.select("refund twice", scope="shop", limit=1)[0].entry == new


def test_without_the_model_entries_are_kept_and_found_by_words_and_embedded_later(engine: Engine) -> None:
    entries = fill(TextMemory(engine, embedder=MissingEmbedder()))
    found = TextMemory(engine, embedder=MissingEmbedder()).select("refund an order", scope="shop")
    assert found[0].entry == entries["refund"]
    assert "dense" not in {reason.primitive for reason in found[0].reasons}
    later = TextMemory(engine)
    query = "reimburse a customer for a purchase that arrived"
    assert later.select(query, scope="shop", limit=1)[0].entry == entries["refund"]
    assert later.reindex() == len(entries)


def test_scores_lie_between_0_and_1_and_fall(memory: TextMemory) -> None:
    fill(memory)
    scores = [item.score for item in memory.select("refund the order", scope="shop")]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


def test_an_unknown_scope_is_an_error_not_an_empty_answer(memory: TextMemory) -> None:
    fill(memory)
    with pytest.raises(UnknownScope, match=r"no scope 'desk'; known scopes: 'shop'"):
        memory.select("refund", scope="desk")


def test_nothing_of_another_scope_is_found(memory: TextMemory) -> None:
    fill(memory, "shop")
    desk = fill(memory, "desk")
    assert {item.entry.id for item in memory.select("refund", scope="desk")} <= {entry.id for entry in desk.values()}


def test_only_the_wanted_kinds_and_valid_entries_are_found(memory: TextMemory) -> None:
    fact, pitfall = fill(memory)["refund"], fill(memory, kind=Kind.PITFALL)["refund"]
    assert memory.select("refund", scope="shop", kinds=[Kind.PITFALL], limit=1)[0].entry == pitfall
    memory.invalidate(fact.id, why="old")
    assert fact.id not in {item.entry.id for item in memory.select("refund", scope="shop", limit=99)}


def test_another_embedding_model_is_detected_until_the_entries_are_embedded_anew(engine: Engine) -> None:
    fill(TextMemory(engine, embedder=LetterEmbedder()))
    changed = TextMemory(engine, embedder=LetterEmbedder(model="more letters", dimension=6))
    message = r"entries were embedded with 'letters' \(4\), the embedder is 'more letters' \(6\); call reindex\(\)"
    with pytest.raises(EmbedderChanged, match=message):
        changed.select("refund", scope="shop")
    with pytest.raises(EmbedderChanged, match=message):
        changed.add(Draft(kind=Kind.FACT, scope="shop", title="x", body="y", source="user"))
    assert changed.reindex() == 4
    assert changed.select("refund the order", scope="shop", limit=1)[0].entry.title == "refund"
