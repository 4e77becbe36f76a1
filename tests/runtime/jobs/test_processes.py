"""Four processes on one database: every job is done by one of them, once, and in order within its lane."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Engine

from nucleate.jobs import Jobs, NewJob

ROOT = Path(__file__).parents[3]
WORK = """
import sys
from sqlalchemy import insert
from nucleate.database import open_database
from nucleate.jobs import Jobs, Pace, Worker
from nucleate.jobs.rows import FINISHED

engine = open_database(sys.argv[1])

def work(job):
    print(job.lane, job.id, flush=True)

    def effect(connection):
        connection.execute(insert(FINISHED), {"key": f"effect of {job.id}"})

    return effect

worker = Worker(Jobs(engine), {"select": work, "reflect": work}, outages=(), pace=Pace())
print("ready", flush=True)
sys.stdin.readline()
while Jobs(engine).pending():
    worker.drain()
engine.dispose()
"""
LANES = ("shop", "desk", "")
TASKS = 12


def _workers(database: str, count: int) -> list[str]:
    """Run workers that begin at one word, and return what they wrote, line by line in the order of their output."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORK, database],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate(timeout=300) for process in started]
    assert [(process.returncode, errors) for process, (_, errors) in zip(started, ended, strict=True)] == [(0, "")] * 4
    return [line for output, _ in ended for line in output.splitlines()]


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_done_twice(engine: Engine, database: str) -> None:
    jobs = Jobs(engine)
    for number in range(TASKS):
        for lane in LANES:
            kinds = [(kind, f"{lane}-{number}") for kind in ("select", "reflect")]
            jobs.put_together([NewJob(kind=k, subject=s, key=f"{k}:{s}", lane=lane) for k, s in kinds])
    lines = _workers(database, 4)
    every = len(LANES) * TASKS * 2
    assert (len(lines), len(set(lines)), jobs.counts()) == (every, every, {"done": every})
    assert sum(key.startswith("effect") for key in frozenset(jobs.keys())) == every
    for lane in ("shop", "desk"):
        ended = sorted((job.finished_at, job.id) for job in jobs.list() if job.lane == lane)
        assert all(before[1] < after[1] for before, after in pairwise(ended))
