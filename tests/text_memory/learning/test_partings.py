"""Verdicts tell which write to leave: the first in which runs that failed part from those that succeeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nucleate_text_memory import Entry, Step, TextMemory, Trajectory
from nucleate_text_memory.learning.partings import Parting, partings
from tests.text_memory.runs import ok, run

SWAP, BACK, READ = "shop.exchange", "shop.give_back", "shop.get_order"
WRITES = {SWAP, BACK}


def _swap(new: str) -> Step:
    return ok(SWAP, "done", items=["i-100"], new_items=[new])


def _runs(task: str) -> Iterator[Trajectory]:
    """Swap an item for itself and fail, give it back and succeed, twice."""
    for at, (step, success) in enumerate(((_swap("i-100"), False), (ok(BACK, "done", items=["i-100"]), True)) * 2):
        made = run(f"{task}-{at}", ok(READ, {"id": task}, id=task), step, query=f"{task} {at}", success=success)
        yield replace(made, group=task)


def test_a_write_after_which_the_task_fails_is_told_with_what_went_well() -> None:
    same = f"{SWAP} with items = new_items"
    assert partings(_runs("a"), WRITES) == [Parting(avoid=same, prefer=BACK, failed=2, succeeded=2)]


def test_a_write_that_runs_that_succeeded_made_is_not_to_blame() -> None:
    good = run("g", _swap("i-200"), success=True)
    bad = run("b", _swap("i-300"), success=False)
    assert partings([good, bad], WRITES) == []
    assert partings([bad], WRITES) == []


def test_two_tasks_that_part_alike_make_one_pitfall_with_its_counts(memory: TextMemory) -> None:
    told: list[Entry] = []
    for task in ("a", "b", "c"):
        for one in _runs(task):
            memory.store(one)
            told += memory.reflect(one.task_id, quorum=2, writes=WRITES).pitfalls
    (pitfall,) = told
    assert pitfall.title == f"`{SWAP} with items = new_items` works as a call, and the task fails"
    assert "made `shop.give_back`" in pitfall.body
    assert "of 2 tasks that made it failed" in pitfall.body


def test_a_write_that_is_right_in_other_tasks_is_no_pitfall(memory: TextMemory) -> None:
    told: list[Entry] = []
    others = [run(f"o{at}", _swap("i-100"), query=f"other {at}", success=True) for at in range(2)]
    for one in [*others, *_runs("a"), *_runs("b"), *_runs("c")]:
        memory.store(one)
        told += memory.reflect(one.task_id, quorum=2, writes=WRITES).pitfalls
    assert told == []
