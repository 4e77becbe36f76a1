"""Jobs: idempotent by key, leased, ordered within a lane, retried with a growing pause, buried with the reason."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest
from sqlalchemy import Engine, insert

from nucleate.errors import InputInvalid
from nucleate.jobs import Job, Jobs, JobState, NewJob, Retries
from nucleate.jobs.rows import JOB
from tests.runtime.jobs.clock import Clock

LEASE_AND_DIE = """
import os, signal, sys
from nucleate.database import open_database
from nucleate.jobs import Jobs
assert Jobs(open_database(sys.argv[1])).lease().subject == "task-1"
os.kill(os.getpid(), signal.SIGKILL)
"""
ELSEWHERE = "another-boot/pid:[1]:77:12345"


def lease(jobs: Jobs) -> Job:
    """Return the next job, which is there."""
    job = jobs.lease()
    assert job is not None
    return job


def subjects(jobs: Jobs) -> list[str]:
    """Do every job that can be done, and return their subjects in that order."""
    found = []
    while (job := jobs.lease()) is not None:
        found.append(f"{job.kind} {job.subject}")
        jobs.finish(job)
    return found


def together(task: str, lane: str = "shop") -> list[NewJob]:
    """Return what is queued for one task."""
    return [NewJob(kind=kind, subject=task, key=f"{kind}:{task}", lane=lane) for kind in ("reflect", "select")]


def test_one_key_is_queued_once(engine: Engine) -> None:
    jobs = Jobs(engine)
    assert jobs.put("select", "task-1", key="select:task-1")
    assert not jobs.put("select", "task-1", key="select:task-1")
    assert jobs.counts() == {"queued": 1}


def test_jobs_are_leased_in_the_order_in_which_they_were_put(engine: Engine) -> None:
    jobs = Jobs(engine)
    for name in ("b", "a"):
        jobs.put("select", name, key=name)
    assert [lease(jobs).subject, lease(jobs).subject, jobs.lease()] == ["b", "a", None]


def test_a_task_is_selected_codified_and_reflected_upon_before_the_next_and_checks_come_last(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("verify", "tool", key="verify:tool")
    for task in ("one", "two"):
        jobs.put_together(together(task))
    first = lease(jobs)
    jobs.put("codify", "plan", key="codify:plan", lane="shop", turn=first.turn)
    jobs.finish(first)
    assert first.subject == "one"
    assert subjects(jobs) == ["codify plan", "reflect one", "select two", "reflect two", "verify tool"]


def test_of_one_lane_one_job_runs_at_a_time_and_other_lanes_go_on(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put_together(together("one"))
    jobs.put_together(together("other", "desk"))
    assert [lease(jobs).subject, lease(jobs).subject, jobs.lease()] == ["one", "other", None]


def test_the_table_itself_refuses_a_second_running_job_of_a_lane(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put_together(together("one"))
    lease(jobs)
    row = {"key": "k", "kind": "select", "subject": "two", "state": "running", "lane": "shop", "created_at": Clock()()}
    with pytest.raises(Exception, match=r"(?i)unique"), engine.begin() as connection:
        connection.execute(insert(JOB), row)


def test_a_finished_job_is_never_leased_again(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("select", "a", key="a")
    jobs.finish(lease(jobs))
    assert (jobs.lease(), jobs.counts()) == (None, {"done": 1})


def test_the_pause_doubles_and_the_last_try_leaves_a_dead_letter_with_its_reason(engine: Engine) -> None:
    clock = Clock()
    jobs = Jobs(engine, clock=clock, retries=Retries(attempts=3, first=timedelta(seconds=30)))
    jobs.put("codify", "p", key="p")
    for seconds in (30, 60):
        jobs.fail(lease(jobs), "no engine")
        clock.forward(seconds=seconds - 1)
        assert jobs.lease() is None
        clock.forward(seconds=1)
    jobs.fail(lease(jobs), "no engine at all")
    (job,) = jobs.list()
    assert (job.state, job.attempts, job.error) == (JobState.DEAD, 3, "no engine at all")
    assert (jobs.lease(), jobs.retry(job.id).state, lease(jobs).attempts) == (None, JobState.QUEUED, 1)


def test_the_pause_never_grows_beyond_the_longest() -> None:
    assert [Retries().pause(attempt).total_seconds() for attempt in (1, 2, 7, 8, 500)] == [30, 60, 1920, 3600, 3600]


def test_a_job_that_waits_does_not_hold_up_its_lane(engine: Engine) -> None:
    jobs = Jobs(engine, clock=Clock())
    jobs.put_together(together("one"))
    jobs.fail(lease(jobs), "no engine")
    assert subjects(jobs) == ["reflect one"]
    assert not jobs.pending()
    assert (jobs.hasten(), subjects(jobs)) == (1, ["select one"])


def test_an_interrupted_job_runs_again_at_once_and_the_try_does_not_count(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("codify", "p", key="p")
    jobs.release(lease(jobs))
    assert lease(jobs).attempts == 1


@pytest.mark.slow
def test_the_job_of_a_killed_process_is_leased_again_at_once(engine: Engine, database: str) -> None:
    jobs = Jobs(engine)
    jobs.put("select", "task-1", key="task-1")
    ended = subprocess.run([sys.executable, "-c", LEASE_AND_DIE, database], check=False)
    assert ended.returncode == -9
    assert (lease(jobs).subject, jobs.counts(), jobs.list()[0].deaths) == ("task-1", {"running": 1}, 1)


def test_the_job_of_a_living_process_is_left_alone(engine: Engine) -> None:
    Jobs(engine).put("select", "task-1", key="task-1")
    lease(Jobs(engine))
    assert Jobs(engine).lease() is None


def test_the_lease_of_another_host_ends_unless_it_is_renewed(engine: Engine) -> None:
    clock = Clock()
    there, here = Jobs(engine, clock=clock, owner=ELSEWHERE), Jobs(engine, clock=clock)
    here.put("codify", "p", key="p")
    job = lease(there)
    for _ in range(5):
        clock.forward(seconds=100)
        assert there.renew(job)
        assert here.lease() is None
    clock.forward(seconds=121)
    assert lease(here).token == job.token + 1


def test_whoever_lost_the_lease_neither_ends_the_job_nor_has_its_effect(engine: Engine) -> None:
    clock, effects = Clock(), list[str]()
    there, here = Jobs(engine, clock=clock, owner=ELSEWHERE), Jobs(engine, clock=clock)
    here.put("codify", "p", key="p")
    late = lease(there)
    clock.forward(minutes=3)
    mine = lease(here)
    assert not there.finish(late, lambda _: effects.append("late"))
    assert (there.renew(late), there.fail(late, "x"), there.bury(late, "x"), there.release(late)) == (False,) * 4
    assert here.finish(mine, lambda _: effects.append("mine"))
    assert not here.finish(mine, lambda _: effects.append("twice"))
    assert (effects, here.counts()) == (["mine"], {"done": 1})


def test_an_effect_that_fails_leaves_the_job_unfinished(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.put("codify", "p", key="p")
    job = lease(jobs)
    with pytest.raises(ZeroDivisionError):
        jobs.finish(job, lambda _: [1 / 0].clear())
    assert (jobs.counts(), jobs.finish(job)) == ({"running": 1}, True)


def test_a_clock_that_was_set_back_neither_keeps_a_lease_for_ever_nor_a_job_waiting(engine: Engine) -> None:
    clock = Clock()
    there, here = Jobs(engine, clock=clock, owner=ELSEWHERE), Jobs(engine, clock=clock)
    for name in ("a", "b"):
        here.put("codify", name, key=name)
    lease(there)
    here.fail(lease(here), "no engine")
    clock.forward(days=-400)
    assert subjects(here) == ["codify a", "codify b"]


def test_a_job_that_outlives_too_many_workers_is_dead(engine: Engine) -> None:
    clock = Clock()
    there, here = Jobs(engine, clock=clock, owner=ELSEWHERE), Jobs(engine, clock=clock, retries=Retries(deaths=2))
    here.put("codify", "p", key="p")
    lease(there)
    clock.forward(minutes=3)
    lease(Jobs(engine, clock=clock, owner=ELSEWHERE))
    clock.forward(minutes=3)
    assert here.lease() is None
    (job,) = here.list()
    assert (job.state, job.error) == (JobState.DEAD, "2 workers ended in the middle of it")


def test_a_cancelled_job_is_not_done_and_what_its_worker_still_says_does_not_count(engine: Engine) -> None:
    jobs = Jobs(engine)
    for name in ("a", "b"):
        jobs.put("codify", name, key=name)
    running = lease(jobs)
    assert [jobs.cancel(job.id).state for job in jobs.list()] == [JobState.CANCELLED] * 2
    assert (jobs.lease(), jobs.renew(running), jobs.finish(running)) == (None, False, False)
    with pytest.raises(InputInvalid, match="job 1 is cancelled; only a queued or running job"):
        jobs.cancel(1)
    assert jobs.retry(1).state is JobState.QUEUED


def test_old_jobs_are_reduced_to_keys_that_stay_known(engine: Engine) -> None:
    clock = Clock()
    jobs = Jobs(engine, clock=clock)
    for name in ("old", "new"):
        jobs.put("select", name, key=name)
    jobs.finish(lease(jobs))
    clock.forward(days=31)
    jobs.finish(lease(jobs))
    assert jobs.prune() == 1
    assert [job.key for job in jobs.list()] == ["new"]
    assert (jobs.put("select", "old", key="old"), jobs.keys()) == (False, frozenset({"old", "new"}))


def test_an_unknown_number_says_how_to_find_one(engine: Engine) -> None:
    with pytest.raises(InputInvalid, match="no job 7; `nucleate jobs list` shows all"):
        Jobs(engine).show(7)
