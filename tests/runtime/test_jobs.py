"""Background work: idempotent, leased, retried."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlmodel import SQLModel, create_engine

from nucleate.jobs import MAX_ATTEMPTS, Job, Jobs
from nucleate.tables import JobRow

LEASE_AND_DIE = """
import os, signal, sys
from sqlmodel import create_engine
from nucleate.jobs import Jobs
assert Jobs(create_engine(sys.argv[1])).lease().subject == "task-1"
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'jobs.db'}"


@pytest.fixture
def engine(url: str) -> Engine:
    engine = create_engine(url)
    SQLModel.metadata.create_all(engine, tables=[SQLModel.metadata.tables[str(JobRow.__tablename__)]])
    return engine


def _lease(jobs: Jobs) -> Job:
    job = jobs.lease()
    assert job is not None
    return job


def test_one_key_is_queued_once(engine: Engine) -> None:
    jobs = Jobs(engine)
    assert jobs.put("select", "task-1", key="select:task-1")
    assert not jobs.put("select", "task-1", key="select:task-1")
    assert jobs.counts() == {"queued": 1}


def test_jobs_are_leased_in_the_order_in_which_they_were_put(engine: Engine) -> None:
    jobs = Jobs(engine)
    for name in ("b", "a"):
        jobs.put("select", name, key=name)
    assert [_lease(jobs).subject, _lease(jobs).subject, jobs.lease()] == ["b", "a", None]


def test_a_finished_job_is_never_leased_again(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("select", "a", key="a")
    jobs.finish(_lease(jobs))
    assert (jobs.lease(), jobs.counts()) == (None, {"done": 1})


def test_a_failed_job_is_tried_again_until_its_attempts_are_used_up(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("codify", "p", key="p")
    for _ in range(MAX_ATTEMPTS):
        jobs.fail(_lease(jobs), "no engine")
    assert (jobs.lease(), jobs.counts()) == (None, {"failed": 1})
    assert (jobs.retry(), _lease(jobs).attempts) == (1, 1)


def test_a_job_that_was_given_up_can_be_passed_over(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("codify", "p", key="p")
    job = _lease(jobs)
    jobs.fail(job, "no engine")
    assert jobs.lease(besides={job.id}) is None


def test_the_job_of_a_killed_process_is_leased_again_at_once(engine: Engine, url: str) -> None:
    jobs = Jobs(engine)
    jobs.put("select", "task-1", key="task-1")
    ended = subprocess.run([sys.executable, "-c", LEASE_AND_DIE, url], check=False)
    assert ended.returncode == -9
    assert (_lease(jobs).subject, jobs.counts()) == ("task-1", {"running": 1})


def test_the_job_of_a_living_process_is_left_alone(engine: Engine) -> None:
    Jobs(engine).put("select", "task-1", key="task-1")
    _lease(Jobs(engine))
    assert Jobs(engine).lease() is None
