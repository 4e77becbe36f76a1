"""Several processes write at once: is anything lost, doubled, or refused because of a lock?"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from nucleate.database import open_database
from nucleate_text_memory import FactContent, TextMemory, drafted

BATCH = 100


@dataclass(frozen=True, kw_only=True)
class Writers:
    """What two processes wrote, what of it is there, and how long one entry took within a batch."""

    processes: int
    each: int
    lost: int
    errors: int
    batch_ms_per_entry: float
    seconds: float


def measure(each: int, *, processes: int = 2) -> Writers:
    """Let every process write its own entries in bounded batches into one database."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        open_database(str(path)).dispose()
        began = time.perf_counter()
        with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
            done = list(pool.map(_write, [path] * processes, range(processes), [each] * processes))
        seconds = time.perf_counter() - began
        engine = open_database(str(path))
        found = {entry.title for entry in TextMemory(engine).entries("shop")}
        engine.dispose()
    expected = {_fact(worker, number).subject for worker in range(processes) for number in range(each)}
    return Writers(
        processes=processes, each=each, lost=len(expected - {title.rpartition(":")[0] for title in found}),
        errors=sum(errors for errors, _ in done), seconds=seconds,
        batch_ms_per_entry=statistics.median(time for _, times in done for time in times),
    )  # fmt: skip


def _write(path: Path, worker: int, count: int) -> tuple[int, list[float]]:
    engine = open_database(str(path))
    memory, times, errors = TextMemory(engine), [], 0
    for start in range(0, count, BATCH):
        drafts = [
            drafted(_fact(worker, number), scope="shop", source=f"environment:worker-{worker}")
            for number in range(start, min(start + BATCH, count))
        ]
        began = time.perf_counter()
        try:
            memory.add_all(drafts)
        except Exception:  # noqa: BLE001  # whatever it is, it is an error of a writer and is counted
            errors += 1
        times.append(1000 * (time.perf_counter() - began) / len(drafts))
    engine.dispose()
    return errors, times


def _fact(worker: int, number: int) -> FactContent:
    return FactContent(subject=f"order {worker}-{number}", predicate="is kept in", value=f"shelf {number % 97}")
