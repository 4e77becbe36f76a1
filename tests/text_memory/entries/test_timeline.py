"""Two time axes: what was true, and what was known; every change keeps what it replaces."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from nucleate_text_memory import EntryConflict, EntryStatus, Kind, TextMemory, UnknownScope
from tests.text_memory.telling import Clock, day, opens


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(engine: Engine, clock: Clock) -> TextMemory:
    return TextMemory(engine, clock=clock)


def _values(memory: TextMemory, valid: str, known: str) -> list[str]:
    return [entry.body for entry in memory.as_of("shop", valid=day(valid), known=day(known), kind=Kind.FACT)]


def test_a_fact_that_changed_twice_is_answered_rightly_for_each_date(memory: TextMemory, clock: Clock) -> None:
    for today, value in (("2025-01-01", "9"), ("2025-03-01", "10"), ("2025-06-01", "8")):
        clock.today = today
        memory.add(opens(value))
    asked = ("2024-12-31", "2025-02-01", "2025-04-01", "2025-07-01")
    assert [_values(memory, date, "2025-07-01") for date in asked] == [
        [], ["Shop opens at 9"], ["Shop opens at 10"], ["Shop opens at 8"]
    ]  # fmt: skip
    assert [entry.body for entry in memory.entries("shop")] == ["Shop opens at 8"]


def test_what_was_believed_before_a_correction_can_still_be_asked_for(memory: TextMemory, clock: Clock) -> None:
    wrong = memory.add(opens("9", valid_from=day("2024-01-01")))
    clock.today = "2025-02-01"
    memory.revise(wrong.id, opens("10"), by="ada", why="misread")
    assert _values(memory, "2024-06-01", "2025-01-15") == ["Shop opens at 9"]
    assert _values(memory, "2024-06-01", "2025-02-15") == ["Shop opens at 10"]


def test_a_passing_change_splits_the_fact_that_it_interrupts(memory: TextMemory) -> None:
    memory.add(opens("9", valid_from=day("2024-01-01")))
    memory.add(opens("11", valid_from=day("2024-07-01"), valid_to=day("2024-08-01")))
    said = {
        date: _values(memory, date, "2025-01-01") for date in ("2024-06-30", "2024-07-01", "2024-07-31", "2024-08-01")
    }
    assert said == {
        "2024-06-30": ["Shop opens at 9"],
        "2024-07-01": ["Shop opens at 11"],
        "2024-07-31": ["Shop opens at 11"],
        "2024-08-01": ["Shop opens at 9"],
    }


def test_disjoint_periods_are_no_conflict_and_no_duplicates(memory: TextMemory) -> None:
    first = memory.add(opens("9", valid_from=day("2020-01-01"), valid_to=day("2021-01-01")))
    second = memory.add(opens("9", valid_from=day("2022-01-01"), valid_to=day("2023-01-01")))
    third = memory.add(opens("7", valid_from=day("2021-01-01"), valid_to=day("2022-01-01")))
    assert [memory.entry(one.id).status for one in (first, second, third)] == [EntryStatus.ACTIVE] * 3


def test_another_scope_or_predicate_is_never_touched(memory: TextMemory) -> None:
    elsewhere = memory.add(opens("9", scope="desk"))
    personal = memory.add(opens("9", scope="shop?user=ada"))
    memory.add(opens("10"))
    assert [memory.entry(one.id).valid for one in (elsewhere, personal)] == [True, True]


def test_a_restatement_adds_its_source_and_deletes_nothing(memory: TextMemory, clock: Clock) -> None:
    first = memory.add(opens("9"))
    clock.today = "2025-02-01"
    again = memory.add(opens("9", source="environment:shop.hours"))
    assert (again.id, again.sources, again.confidence) == (first.id, ("user", "environment:shop.hours"), 0.75)
    assert len(memory.entries(valid_only=False)) == 1


def test_history_says_who_changed_what_and_why(memory: TextMemory, clock: Clock) -> None:
    first = memory.add(opens("9"), by="ada", why="read at the door")
    clock.today = "2025-02-01"
    second = memory.revise(first.id, opens("10"), by="bo", why="misread")
    told = [(event.action, event.author, event.why, event.at) for event in memory.history(second.id)]
    assert told == [
        ("added", "ada", "read at the door", day("2025-01-01")),
        ("added", "bo", "misread", day("2025-02-01")),
        ("superseded", "bo", f"superseded by {second.id}: misread", day("2025-02-01")),
    ]
    changed = {one.field: (one.before, one.after) for one in memory.diff(first.id, second.id)}
    assert (changed["value"], changed["status"]) == (("9", "10"), ("superseded", "active"))


def test_what_was_superseded_cannot_be_revised_over_somebody_elses_change(memory: TextMemory) -> None:
    first = memory.add(opens("9"))
    memory.revise(first.id, opens("10"))
    with pytest.raises(EntryConflict, match=f"entry '{first.id}' is superseded"):
        memory.revise(first.id, opens("11"))


def test_an_invalidated_entry_is_restored_with_its_words_and_reason(memory: TextMemory, clock: Clock) -> None:
    entry = memory.add(opens("9"))
    memory.invalidate(entry.id, why="closed down", by="ada")
    clock.today = "2025-02-01"
    back = memory.restore(entry.id, why="opened again", by="bo")
    assert (back.body, back.valid, back.supersedes) == (entry.body, True, (entry.id,))
    with pytest.raises(EntryConflict, match="is active; only what was invalidated or superseded is restored"):
        memory.restore(back.id, why="again")


def test_as_of_in_an_unknown_scope_is_an_error(memory: TextMemory) -> None:
    with pytest.raises(UnknownScope, match="no scope 'shop'; known scopes: none yet"):
        memory.as_of("shop")


def test_a_narrow_scope_sees_the_wide_one_and_never_the_reverse(memory: TextMemory) -> None:
    wide, ada, bo = (memory.add(opens("9", scope=scope)) for scope in ("shop", "shop?user=ada", "shop?user=bo"))
    assert memory.entries("shop") == [wide]
    assert memory.entries("shop?user=ada") == [wide, ada]
    assert {item.entry for item in memory.select("when does it open", scope="shop?user=bo")} == {wide, bo}
    with pytest.raises(UnknownScope, match=r"no scope 'shop\?user=eve'; known scopes: 'shop'$"):
        memory.select("when does it open", scope="shop?user=eve")
