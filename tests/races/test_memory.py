"""Text memory under several writers at once, on both databases: as if they had come one after the other."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial

import pytest
from sqlalchemy import Engine, delete, func, select

from nucleate_text_memory import Draft, EntryStatus, FactContent, TextMemory, drafted
from nucleate_text_memory.entries.contract import load
from nucleate_text_memory.tables import ENTRY, EVENT, LINK, NOTES, VECTOR
from tests.races.racing import BREATH, Racer, errors, race
from tests.text_memory.runs import LetterEmbedder, learn, ok, run
from tests.text_memory.telling import Clock, opens, seen


def memory_of(engine: Engine) -> TextMemory:
    return TextMemory(engine, embedder=LetterEmbedder())


@pytest.fixture
def memory(engine: Engine) -> TextMemory:
    return memory_of(engine)


def about(thing: str) -> Draft:
    return drafted(FactContent(subject=thing, predicate="is on", value="a shelf"), scope="shop", source="user")


def storing(task: str, scope: str = "shop") -> Racer:
    steps = (ok("shop.a"), ok("shop.b"), ok("shop.c"))
    return lambda engine: memory_of(engine).store(run(task, *steps, environment=scope))


def learning(task: str) -> Racer:
    return lambda engine: memory_of(engine).reflect(task)


def adding(value: str, source: str) -> Racer:
    return lambda engine: memory_of(engine).add(opens(value, source=source)).id


def test_one_run_is_stored_once_and_others_all(database: str, memory: TextMemory) -> None:
    assert Counter(race(database, *[storing("t")] * 4)) == {True: 1, False: 3}
    assert race(database, *(storing(f"t{number}", f"shop-{number % 2}") for number in range(4))) == [True] * 4
    assert sorted(memory.task_ids()) == ["t", "t0", "t1", "t2", "t3"]


def test_one_run_teaches_once(database: str, memory: TextMemory, engine: Engine) -> None:
    learn(memory, *(run(task, ok("shop.a"), ok("shop.b")) for task in ("t1", "t2")))
    memory.store(run("t3", ok("shop.a"), ok("shop.b")))
    assert errors(race(database, *[learning("t3")] * 3)) == []
    (plan,) = memory.entries("shop")
    assert [task for task, _key in memory.inputs(plan.id)] == ["t1", "t2", "t3"]
    with engine.begin() as connection:
        assert connection.scalar(select(func.count()).select_from(NOTES)) == 2


def test_runs_of_one_plan_and_of_several_scopes_all_teach(database: str, memory: TextMemory, engine: Engine) -> None:
    tasks = [(f"{scope}-{number}", scope) for scope in ("desk", "shop") for number in range(4)]
    assert all(storing(*task)(engine) for task in tasks)
    assert errors(race(database, *(learning(task) for task, _scope in tasks))) == []
    for scope in ("desk", "shop"):
        (plan,) = memory.entries(scope)
        assert len(memory.inputs(plan.id)) == 4
    with engine.begin() as connection:
        positions = list(connection.scalars(select(ENTRY.c.position).order_by(ENTRY.c.position)))
    assert positions == list(range(1, len(positions) + 1))


def test_one_statement_of_many_sources_is_one_entry_that_counts_them_all(database: str, memory: TextMemory) -> None:
    found = race(database, *(adding("9", f"environment:shop.f{number}") for number in range(6)))
    (fact,) = memory.entries("shop")
    assert (set(found), len(fact.sources), fact.confidence) == ({fact.id}, 6, 7 / 8)


def test_of_contradicting_facts_one_stands(database: str, memory: TextMemory) -> None:
    assert errors(race(database, *(adding(str(value), "user") for value in range(4)))) == []
    assert len(memory.entries("shop")) == 1
    assert [entry.status for entry in memory.entries("shop", valid_only=False)].count(EntryStatus.SUPERSEDED) == 3


def test_facts_about_other_things_do_not_hinder_each_other(database: str, memory: TextMemory) -> None:
    racers = [
        lambda engine, scope=scope: memory_of(engine).add(opens("9", scope=scope)) for scope in ("a", "b", "c", "d")
    ]
    assert errors(race(database, *racers)) == []
    assert sorted(entry.scope for entry in memory.entries()) == ["a", "b", "c", "d"]


def test_an_entry_is_revised_once(database: str, memory: TextMemory) -> None:
    old = memory.add(opens("9"))
    racers = [
        lambda engine, value=value: memory_of(engine).revise(old.id, opens(value), by="ada", why="wrong")
        for value in ("10", "11", "12")
    ]
    assert errors(race(database, *racers)) == ["EntryConflict", "EntryConflict"]
    assert len(memory.entries("shop")) == 1


def test_entries_merged_in_a_ring_leave_one_that_stands(database: str, memory: TextMemory) -> None:
    ids = [memory.add(about(name)).id for name in ("a", "b", "c")]
    pairs = [(ids[0], ids[1]), (ids[1], ids[2]), (ids[2], ids[0])]
    racers = [
        lambda engine, pair=pair, value=value: memory_of(engine).merge(pair, about(value), by="ada")
        for pair, value in zip(pairs, ("x", "y", "z"), strict=True)
    ]
    assert errors(race(database, *racers)) == ["EntryConflict", "EntryConflict"]
    assert len(memory.entries("shop")) == 2


def test_what_ends_an_entry_happens_once(database: str, memory: TextMemory) -> None:
    entry = memory.add(opens("9"))
    race(database, *[lambda engine: memory_of(engine).invalidate(entry.id, why="wrong", by="ada")] * 4)
    assert [event.action for event in memory.history(entry.id)].count("invalidated") == 1
    found = race(database, *[lambda engine: memory_of(engine).restore(entry.id, why="right", by="ada")] * 4)
    assert (errors(found), len(memory.entries("shop"))) == ([], 1)


def test_a_forgotten_entry_gains_nothing(database: str, memory: TextMemory, engine: Engine) -> None:
    entry = memory.add(opens("9"))
    race(
        database,
        lambda engine: memory_of(engine).forget(entry.id, why="asked for"),
        *(adding("9", f"environment:shop.f{number}") for number in range(3)),
        lambda engine: memory_of(engine).link_tool(entry.id, "tool"),
    )
    with engine.begin() as connection:
        links = connection.execute(select(LINK.c.relation, LINK.c.target).where(LINK.c.entry_id == entry.id)).all()
    said = {link.target for link in links if link.relation == "source"}
    assert (said, memory.entry(entry.id).status) == ({"user"}, EntryStatus.FORGOTTEN)


def test_a_held_entry_is_decided_once(database: str, memory: TextMemory) -> None:
    held = memory.add(opens("3", source="tool:mail.read", evidence=seen()))
    found = race(
        database,
        *[lambda engine: memory_of(engine).release(held.id, by="ada", why="true")] * 2,
        *[lambda engine: memory_of(engine).reject(held.id, by="bob", why="false")] * 2,
    )
    assert errors(found) == ["EntryConflict"] * 3
    assert (memory.quarantine(), len(memory.entries("shop")) <= 1) == ([], True)


def test_lines_are_read_in_once(database: str, memory: TextMemory, engine: Engine) -> None:
    memory.add(opens("9"))
    lines = memory.export()
    with engine.begin() as connection:
        for table in (LINK, EVENT, VECTOR, ENTRY):
            connection.execute(delete(table))
    found = race(database, *[lambda engine: len(memory_of(engine).import_lines(lines).added)] * 3)
    assert (Counter(found), len(memory.entries("shop"))) == ({0: 2, 1: 1}, 1)


def test_every_use_is_counted(database: str, memory: TextMemory, engine: Engine) -> None:
    ids = [memory.add(about(name)).id for name in "abcdef"]
    using = [partial(lambda engine, order: memory_of(engine).used(order), order=order) for order in (ids, ids[::-1])]
    assert race(database, *using * 4) == [None] * 8
    with engine.begin() as connection:
        assert set(connection.scalars(select(ENTRY.c.use_count))) == {8}


def test_every_tool_of_a_plan_is_linked_once(database: str, memory: TextMemory) -> None:
    learn(memory, *(run(task, ok("shop.a"), ok("shop.b")) for task in ("t1", "t2")))
    (plan,) = memory.entries("shop")
    racers = [
        lambda engine, name=name: memory_of(engine).link_tool(plan.id, name) for name in ("x", "y", "x", "y", "z")
    ]
    assert errors(race(database, *racers)) == []
    assert sorted(memory.entry(plan.id).implements) == ["x", "y", "z"]


def test_runs_are_compacted_once(database: str, engine: Engine) -> None:
    contract = load()
    contract = contract.model_copy(update={"episodes": contract.episodes.model_copy(update={"exemplars": 1})})

    def later(engine: Engine) -> TextMemory:
        return TextMemory(engine, embedder=LetterEmbedder(), contract=contract, clock=Clock("2100-01-01"))

    learn(memory_of(engine), *(run(f"t{number}", ok("shop.a", id=number)) for number in range(4)))
    found = race(database, *[lambda engine: later(engine).compact("shop").kept] * 3)
    assert found == [1, 1, 1]


def test_vectors_are_made_once(database: str, memory: TextMemory, engine: Engine) -> None:
    for name in "abc":
        memory.add(about(name))
    again: Racer = lambda engine: memory_of(engine).reindex()  # noqa: E731
    assert race(database, again, again, lambda engine: memory_of(engine).add(opens("9")) and 0)[:2] != [0, 0]
    with engine.begin() as connection:
        assert connection.scalar(select(func.count()).select_from(VECTOR)) == 4


def test_what_ended_is_told_to_whoever_asked_before_it_was_committed(database: str, memory: TextMemory) -> None:
    entries = [memory.add(about(name)) for name in "abcd"]

    def follow(engine: Engine) -> set[str]:
        told: set[str] = set()
        after, asked = 0, memory_of(engine)
        while len(told) < len(entries):
            after, ended = asked.ended(after)
            told |= {entry.id for entry in ended}
            time.sleep(BREATH * 5)
        return told

    ending = [
        lambda engine, id_=entry.id: memory_of(engine).invalidate(id_, why="wrong", by="ada").id for entry in entries
    ]
    found = race(database, follow, *ending)
    assert found == [{entry.id for entry in entries}, *(entry.id for entry in entries)]
