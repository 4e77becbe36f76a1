"""Forgotten words are gone from everywhere; secrets and personal identifiers never arrive."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from nucleate_text_memory import EntryAltered, EntryConflict, EntryStatus, FactContent, TextMemory, drafted
from tests.text_memory.telling import opens

SECRET_WORDS = "violoncello"


def test_forgotten_words_are_in_no_file_no_export_and_no_search(
    memory: TextMemory, engine: Engine, tmp_path: Path
) -> None:
    first = memory.add(opens(f"9 said the {SECRET_WORDS}"))
    second = memory.revise(first.id, opens(f"10 said the {SECRET_WORDS}"), why="corrected")
    other = memory.add(opens("8", scope="desk"))
    assert memory.forget(second.id, why="asked for by the person", by="ada") == [first.id, second.id]
    stub = memory.entry(first.id)
    assert (stub.status, stub.title, stub.body, stub.content, stub.sources) == (
        EntryStatus.FORGOTTEN,
        "",
        "",
        None,
        ("user",),
    )
    assert [event.action for event in memory.history(first.id)][-2:] == ["forgotten", "forgotten"]
    assert SECRET_WORDS not in "".join(memory.export())
    assert memory.select("when does it open", scope="desk")[0].entry == other
    engine.dispose()
    assert [path.name for path in tmp_path.iterdir() if SECRET_WORDS.encode() in path.read_bytes()] == []


def test_what_was_forgotten_is_not_taken_again(memory: TextMemory) -> None:
    entry = memory.add(opens("9"))
    memory.forget(entry.id, why="asked for")
    with pytest.raises(EntryConflict, match="with these words was forgotten"):
        memory.add(opens("9"))


def test_an_edit_from_outside_is_detected_and_not_overwritten(memory: TextMemory, engine: Engine) -> None:
    entry = memory.add(opens("9"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE entry SET body = 'Shop opens at 3'"))
    with pytest.raises(EntryAltered, match=f"entry '{entry.id}' was edited outside of the memory"):
        memory.revise(entry.id, opens("10"))
    with pytest.raises(EntryAltered, match=f"entry '{entry.id}' was edited outside of the memory"):
        memory.invalidate(entry.id, why="x")
    with pytest.raises(EntryAltered, match=f"entry '{entry.id}' was edited outside of the memory"):
        memory.add(opens("9"))
    assert memory.entry(entry.id).body == "Shop opens at 3"


def test_personal_identifiers_are_counted_and_not_kept(memory: TextMemory, caplog: pytest.LogCaptureFixture) -> None:
    told = FactContent(
        subject="customer C-100",
        predicate="is reached at",
        value="ada@example.org, +44 20 7946 0958, card 4111 1111 1111 1111, GB82 WEST 1234 5698 7654 32",
    )
    with caplog.at_level(logging.INFO, "nucleate_text_memory"):
        entry = memory.add(drafted(told, scope="shop", source="user"))
    assert entry.content == replace(
        told, value="[redacted:email], [redacted:phone], card [redacted:card], [redacted:iban]"
    )
    assert caplog.messages == ["redacted 1 of kind card, 1 of kind email, 1 of kind iban, 1 of kind phone"]


@pytest.mark.parametrize(
    "harmless", ["order 4111 1111 1111 1112", "#W1234567", "2025-03-01", "reservation ABC123XYZ99"]
)
def test_ids_and_dates_are_left_alone(memory: TextMemory, harmless: str) -> None:
    assert memory.add(opens(harmless)).body == f"Shop opens at {harmless}"
