"""Workers: every ending of a job, safe points, and threads that let tasks go first."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from nucleate.jobs import Deferred, Inline, Job, Jobs, Off, Pace, Worker, WorkerThread, start_background
from tests.runtime.jobs.clock import Clock

PAUSE = threading.Event()  # never set: a handler that works on until a safe point ends it


class Outage(Exception):
    """What says nothing about the job."""


def worker(jobs: Jobs, handler: object, *, pace: Pace | None = None) -> Worker:
    """Return a worker whose jobs of kind `work` go to the handler."""
    return Worker(jobs, {"work": handler}, outages=(Outage,), pace=pace or Pace())  # type: ignore[dict-item]


def queued(engine: Engine, *subjects: str) -> Jobs:
    """Return a queue with these jobs."""
    jobs = Jobs(engine, clock=Clock())
    for subject in subjects:
        jobs.put("work", subject, key=subject)
    return jobs


def raising(error: Exception) -> object:
    """Return a handler that raises."""

    def handler(_job: Job) -> None:
        raise error

    return handler


def test_an_unexpected_exception_is_a_dead_letter_and_the_worker_goes_on(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = queued(engine, "bad", "good")
    bad = raising(KeyError("colour"))
    done = worker(jobs, lambda job: bad(job) if job.subject == "bad" else None).drain()  # type: ignore[operator]
    assert (done, [(job.subject, job.state.value, job.error) for job in jobs.list()]) == (
        1,
        [("good", "done", ""), ("bad", "dead", "KeyError: 'colour'")],
    )
    assert [record.message for record in caplog.records] == ["job 1 (work bad) is dead"]


def test_an_outage_leaves_the_job_queued_for_later(engine: Engine) -> None:
    jobs = queued(engine, "a")
    assert worker(jobs, raising(Outage("the engine is away"))).drain() == 0
    (job,) = jobs.list()
    assert (job.state.value, job.attempts, job.error) == ("queued", 1, "Outage: the engine is away")
    assert (jobs.lease(), jobs.pending()) == (None, False)


def test_a_database_that_fails_in_a_handler_is_an_outage(engine: Engine) -> None:
    jobs = queued(engine, "a")
    worker(jobs, raising(OperationalError("SELECT 1", {}, Exception("locked")))).drain()
    assert jobs.counts() == {"queued": 1}


def test_a_deferred_job_waits_for_its_moment_and_no_try_is_counted(engine: Engine) -> None:
    jobs = queued(engine, "a")
    until = Clock()() + timedelta(hours=12)
    worker(jobs, raising(Deferred(until, "today's budget is used up"))).drain()
    (job,) = jobs.list()
    assert (job.attempts, job.not_before, job.error) == (0, until, "today's budget is used up")
    assert jobs.next_moment() == until


def test_a_kind_that_nobody_handles_is_a_dead_letter_that_says_so(engine: Engine) -> None:
    jobs = queued(engine)
    jobs.put("paint", "a", key="a")
    worker(jobs, raising(Outage())).drain()
    assert jobs.list()[0].error == "LookupError: no handler for 'paint' (there are: work)"


def test_the_effect_of_a_job_is_part_of_its_end(engine: Engine) -> None:
    jobs, states = queued(engine, "a"), list[str]()

    def effect(connection: Connection) -> None:
        states.extend(connection.exec_driver_sql("SELECT state FROM job").scalars())

    assert worker(jobs, lambda _: effect).drain() == 1
    assert states == ["done"]


def test_a_worker_that_stops_gives_its_job_back_at_the_next_safe_point(engine: Engine) -> None:
    jobs, reached = queued(engine, "a", "b"), list[str]()

    def handler(job: Job) -> None:
        works.stop()
        works.checkpoint()
        reached.append(job.subject)

    works = worker(jobs, handler)
    assert (works.drain(), reached, jobs.counts()) == (0, [], {"queued": 2})


def test_a_cancelled_job_ends_at_its_next_safe_point(engine: Engine) -> None:
    jobs = Jobs(engine)
    jobs.retries = jobs.retries.__class__(lease=timedelta(milliseconds=40))
    jobs.put("work", "a", key="a")

    def handler(job: Job) -> None:
        jobs.cancel(job.id)
        while not PAUSE.wait(0.005):
            works.checkpoint()

    works = worker(jobs, handler)
    assert (works.drain(), jobs.counts()) == (0, {"cancelled": 1})


def test_a_long_job_keeps_its_lease(engine: Engine) -> None:
    there = Jobs(engine, owner="another-boot/pid:[1]:77:12345")
    there.retries = there.retries.__class__(lease=timedelta(milliseconds=200))
    there.put("work", "a", key="a")
    renewed = threading.Semaphore(0)

    @event.listens_for(engine, "after_cursor_execute")
    def _(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE job SET leased_until"):
            renewed.release()

    def handler(_job: Job) -> None:
        for _ in range(8):  # eight beats are two leases
            assert renewed.acquire(timeout=30)

    assert worker(there, handler).drain() == 1


def test_a_thread_works_when_it_is_woken_and_ends_with_what_is_queued(engine: Engine) -> None:
    jobs, pace = queued(engine, "a", "b"), Pace()
    thread = WorkerThread(worker(jobs, lambda _: None, pace=pace), pace=pace)
    thread.wake()
    assert (thread.wait(30), jobs.counts()) == (True, {"done": 2})
    jobs.put("work", "c", key="c")
    thread.wake()
    thread.close()
    assert jobs.counts() == {"done": 3}


def test_a_thread_that_nobody_woke_does_nothing_at_the_end(engine: Engine) -> None:
    jobs, pace = queued(engine, "a"), Pace()
    WorkerThread(worker(jobs, lambda _: None, pace=pace), pace=pace).close()
    assert jobs.counts() == {"queued": 1}


def test_no_job_begins_while_a_task_is_under_way(engine: Engine) -> None:
    jobs, pace, order = queued(engine, "a"), Pace(patience=600), list[str]()
    thread = WorkerThread(worker(jobs, lambda job: order.append(job.subject), pace=pace), pace=pace)
    with pace.task():
        thread.wake()
        order.append("task")
    assert (thread.wait(30), order) == (True, ["task", "a"])
    thread.close()


def test_tasks_without_a_gap_do_not_starve_learning(engine: Engine) -> None:
    jobs, pace = queued(engine, "a"), Pace(patience=0.05)
    begun = threading.Event()
    thread = WorkerThread(worker(jobs, lambda _: begun.set(), pace=pace), pace=pace)
    with pace.task():
        thread.wake()
        assert begun.wait(30)
    thread.close()


def test_whoever_waits_gets_the_work_done_although_a_task_is_under_way(engine: Engine) -> None:
    jobs, pace = queued(engine, "a"), Pace(patience=600)
    thread = WorkerThread(worker(jobs, lambda _: None, pace=pace), pace=pace)
    with pace.task():
        thread.wake()
        assert thread.wait(30)
    thread.close()


def test_closing_without_waiting_gives_the_job_in_hand_back(engine: Engine) -> None:
    jobs, pace, begun = queued(engine, "a", "b"), Pace(), threading.Event()

    def handler(_job: Job) -> None:
        begun.set()
        while not PAUSE.wait(0.005):
            works.checkpoint()

    works = worker(jobs, handler, pace=pace)
    thread = WorkerThread(works, pace=pace)
    thread.wake()
    assert begun.wait(30)
    thread.close(wait=False)
    assert jobs.counts() == {"queued": 2}


@pytest.mark.parametrize(
    ("choice", "kind", "done"), [("inline", Inline, 1), ("off", Off, 0), ("thread", WorkerThread, 0)]
)
def test_the_setting_says_who_works(engine: Engine, choice: str, kind: type, done: int) -> None:
    jobs, pace = queued(engine, "a"), Pace()
    background = start_background(choice, worker(jobs, lambda _: None, pace=pace), pace=pace)  # type: ignore[arg-type]
    assert isinstance(background, kind)
    if choice != "thread":
        background.wake()
        assert (background.wait(), jobs.counts().get("done", 0)) == (done == 1, done)
    background.close()
