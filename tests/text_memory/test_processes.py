"""Several processes use one database at once, and nothing is lost or doubled."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from nucleate_text_memory import FactContent, TextMemory, drafted
from tests.text_memory.database import open_engine
from tests.text_memory.runs import learn, ok, run

TASKS = 12
FACTS, BATCH = 60, 20
SHARED = FactContent(subject="shop", predicate="opens at", value="9")


def work(path: Path, worker: int) -> int:
    """Store and learn from this worker's tasks and from one that all workers share; return how many were new."""
    engine = open_engine(path)
    memory, new = TextMemory(engine), 0
    for number in range(TASKS):
        trajectory = run(f"w{worker}-{number}", ok("shop.a"), ok("shop.b"), ok("shop.c"))
        new += memory.store(trajectory)
        memory.reflect(trajectory.task_id)
    shared = run("shared", ok("shop.a"), ok("shop.x"))
    new += memory.store(shared)
    memory.reflect("shared")
    engine.dispose()
    return new


def test_two_processes_write_at_once_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    open_engine(path).dispose()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        new = sum(pool.map(work, [path, path], [1, 2]))
    engine = open_engine(path)
    memory = TextMemory(engine)
    learn(memory, run("last", ok("shop.a"), ok("shop.b")))
    assert new == len(memory.task_ids("shop")) - 1 == 2 * TASKS + 1
    assert [entry.signature for entry in memory.entries("shop")] == [
        ("shop.a", "shop.b", "shop.c"),
        ("shop.a", "shop.b"),
    ]
    engine.dispose()


def tell(path: Path, worker: int) -> int:
    """Tell facts in batches, and restate one that all workers know; return how many were told."""
    engine = open_engine(path)
    memory = TextMemory(engine)
    for start in range(0, FACTS, BATCH):
        told = [FactContent(subject=f"order {worker}-{n}", predicate="is on", value="a shelf") for n in range(BATCH)]
        numbered = [drafted(one, scope=f"shop-{start}", source="user") for one in told]
        memory.add_all([*numbered, drafted(SHARED, scope="shop", source=f"environment:shop.worker{worker}")])
    engine.dispose()
    return FACTS


def test_two_processes_tell_facts_at_once_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    open_engine(path).dispose()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        told = sum(pool.map(tell, [path, path], [1, 2]))
    engine = open_engine(path)
    entries = TextMemory(engine).entries(valid_only=False)
    engine.dispose()
    shared = [entry for entry in entries if entry.content == SHARED]
    assert (len(entries), len(shared), len(shared[0].sources)) == (told + 1, 1, 2)
