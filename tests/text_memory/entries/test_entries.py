"""Entries are added, superseded and invalidated; nothing is edited, nothing is deleted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_text_memory import Draft, EntryConflict, EntryStatus, Kind, SourceSpan, TextMemory, UnknownEntry
from tests.text_memory.runs import learn, ok, run

HOURS = Draft(
    kind=Kind.FACT,
    scope="shop",
    title="Opening hours",
    body="The shop opens at 9.",
    source="user",
    signature=("hours",),
    confidence=0.9,
    evidence=(SourceSpan(task_id="t1", start=0, stop=1),),
)


def test_an_added_entry_is_what_was_drafted(memory: TextMemory) -> None:
    entry = memory.add(HOURS)
    assert memory.entry(entry.id) == entry
    assert (entry.kind, entry.scope, entry.title, entry.body) == (Kind.FACT, "shop", HOURS.title, HOURS.body)
    assert (entry.source, entry.signature, entry.confidence) == ("user", ("hours",), 0.9)
    assert (entry.valid, entry.evidence, entry.supersedes, entry.implements) == (True, HOURS.evidence, (), ())


def test_adding_a_fact_twice_keeps_it_once(memory: TextMemory) -> None:
    assert memory.add(HOURS) == memory.add(HOURS)
    assert len(memory.entries("shop")) == 1


def test_a_contradiction_deletes_neither_fact(memory: TextMemory) -> None:
    old = memory.add(HOURS)
    new = memory.add(replace(HOURS, body="The shop opens at 10."))
    assert memory.entries("shop", Kind.FACT) == [old, new]


def test_a_replaced_entry_stays_readable_and_is_named_by_the_new_one(memory: TextMemory) -> None:
    old = memory.add(HOURS)
    new = memory.merge([old.id], replace(HOURS, body="The shop opens at 10."), why="it opens later now")
    assert new.supersedes == (old.id,)
    assert memory.entries("shop") == [new]
    retired = memory.entry(old.id)
    assert (retired.valid, retired.status, retired.body) == (False, EntryStatus.SUPERSEDED, old.body)
    assert retired.why == f"superseded by {new.id}: it opens later now"
    assert memory.entries("shop", valid_only=False) == [retired, new]


def test_a_revision_back_to_earlier_words_is_an_entry_of_its_own(memory: TextMemory) -> None:
    first = memory.add(HOURS)
    second = memory.merge([first.id], replace(HOURS, body="The shop opens at 10."))
    third = memory.merge([second.id], HOURS)
    assert (third.body, third.supersedes, third.id == first.id) == (HOURS.body, (second.id,), False)
    assert memory.entries("shop") == [third]


def test_entries_of_another_scope_or_kind_are_not_replaced(memory: TextMemory) -> None:
    old = memory.add(HOURS)
    for draft in (replace(HOURS, scope="desk"), replace(HOURS, kind=Kind.PITFALL)):
        with pytest.raises(EntryConflict, match=r"replace entries of the same kind and scope only"):
            memory.merge([old.id], draft)
    assert memory.entries(valid_only=False) == [old]


def test_an_invalidated_entry_is_kept_and_cannot_be_added_again_by_accident(memory: TextMemory) -> None:
    entry = memory.add(HOURS)
    ended = memory.invalidate(entry.id, why="moved")
    assert (ended.valid, ended.status, ended.why, ended.body) == (False, EntryStatus.INVALIDATED, "moved", entry.body)
    assert memory.entries("shop") == []
    with pytest.raises(EntryConflict, match=f"entry '{entry.id}' with these words was invalidated"):
        memory.add(HOURS)


def test_an_unknown_entry_is_named_by_every_operation(memory: TextMemory) -> None:
    for ask in (
        lambda: memory.entry("nope"),
        lambda: memory.invalidate("nope", why="x"),
        lambda: memory.merge(["nope"], HOURS),
        lambda: memory.link_tool("nope", "x"),
        lambda: memory.occurrences("nope"),
    ):
        with pytest.raises(UnknownEntry, match=r"no entry 'nope'; entries\(\) lists all"):
            ask()
    assert memory.scopes() == []


def test_a_tool_is_linked_to_the_plan_it_implements_once(memory: TextMemory) -> None:
    *_, second = learn(memory, *(run(task, ok("shop.a"), ok("shop.b")) for task in ("t1", "t2")))
    for tool in ("do_a_and_b", "do_a_and_b", "do_both"):
        memory.link_tool(second.plans[0].id, tool)
    assert memory.entry(second.plans[0].id).implements == ("do_a_and_b", "do_both")


def test_a_fact_is_implemented_by_no_tool(memory: TextMemory) -> None:
    entry = memory.add(HOURS)
    with pytest.raises(EntryConflict, match="is a fact; only a plan is implemented by a tool"):
        memory.link_tool(entry.id, "open_shop")


def test_secrets_in_an_added_entry_are_not_stored(memory: TextMemory) -> None:
    entry = memory.add(replace(HOURS, body='Log in with password="tr0ub4dor".'))
    assert entry.body == 'Log in with password="[redacted:password]".'
