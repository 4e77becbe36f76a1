"""Raw runs never change; they are dropped by writes alone, when an exemplar stands for them or they never ended."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from nucleate_text_memory import Contract, TextMemory, UnknownTask
from nucleate_text_memory.entries.contract import load
from nucleate_text_memory.entries.episodes import Compaction
from tests.text_memory.runs import failed, learn, ok, run
from tests.text_memory.telling import Clock


def _contract(**rules: int) -> Contract:
    contract = load()
    return contract.model_copy(update={"episodes": contract.episodes.model_copy(update=rules)})


@pytest.fixture
def clock() -> Clock:
    return Clock("2100-01-01")


@pytest.fixture
def memory(engine: Engine, clock: Clock) -> TextMemory:
    return TextMemory(engine, clock=clock, contract=_contract(exemplars=1))


def _fill(memory: TextMemory) -> None:
    learn(memory, *(run(f"t{number}", ok("shop.a", id=number)) for number in range(3)))
    learn(
        memory,
        run("broken", failed("shop.b", "no")),
        run("empty"),
        run("judged", failed("shop.b", "closed"), success=False),
    )


def test_what_never_ended_and_what_an_exemplar_stands_for_is_dropped(memory: TextMemory) -> None:
    _fill(memory)
    assert memory.compact("shop") == Compaction(unfinished=("broken", "empty"), represented=("t1", "t2"), kept=2)
    assert [kept.task_id for kept in memory.trajectories("shop")] == ["t0", "judged"]
    with pytest.raises(UnknownTask, match="task 't1' was dropped: its calls are those of task 't0', which is kept"):
        memory.trajectory("t1")
    assert memory.store(run("t1", ok("shop.a", id=1))) is False


def test_within_the_grace_period_everything_stays(memory: TextMemory, clock: Clock) -> None:
    _fill(memory)
    clock.today = "2026-01-01"
    assert memory.compact("shop").kept == 6


def test_the_evidence_of_an_entry_is_never_dropped(memory: TextMemory) -> None:
    learn(memory, *(run(f"t{number}", ok("shop.a"), ok("shop.b")) for number in range(4)))
    assert memory.compact("shop") == Compaction(unfinished=(), represented=("t2", "t3"), kept=2)
    (plan,) = memory.entries("shop")
    assert [one.trajectory.task_id for one in memory.occurrences(plan.id)] == ["t0", "t1"]


def test_reading_drops_nothing_and_a_crowded_scope_is_compacted_by_the_write(engine: Engine, clock: Clock) -> None:
    memory = TextMemory(engine, clock=clock, contract=_contract(exemplars=1, automatic_above=6))
    _fill(memory)
    memory.entries("shop")
    assert len(memory.trajectories("shop")) == 6
    memory.store(run("t9", ok("shop.a", id=9)))
    assert [kept.task_id for kept in memory.trajectories("shop")] == ["t0", "judged", "t9"]


def test_several_plans_that_share_an_order_give_a_fact_about_the_environment(memory: TextMemory) -> None:
    login, find = ok("shop.login"), ok("shop.find")
    learn(memory, *(run(f"a{n}", login, find, ok("shop.buy")) for n in range(2)))
    learn(memory, *(run(f"b{n}", login, find, ok("shop.return")) for n in range(2)))
    facts = memory.abstract("shop")
    assert [fact.body for fact in facts] == ["`shop.find` is called right after `shop.login`"]
    assert memory.abstract("shop") == facts
