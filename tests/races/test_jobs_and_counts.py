"""The queue, the accounts and what is known of environments, under several workers at once, on both databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Engine, func, select

from nucleate.environments.approvals import Approvals
from nucleate.environments.approving import ApprovalDecision
from nucleate.environments.connections import ObjectConnection
from nucleate.environments.known_environments import KnownEnvironments
from nucleate.environments.scopes import Scopes
from nucleate.jobs import Jobs
from nucleate.jobs.job_values import Job, JobState, NewJob, now
from nucleate.jobs.spending import SPENDING, Daily, DayLimits
from nucleate.jobs.working import Deferred
from nucleate.models.cached import REPLY, Cached
from nucleate.models.ledger import Ledger
from nucleate_codifier import Recurrence, Verdicts
from nucleate_codifier.chat import Message, Reply, Role, ScriptedModel
from nucleate_sandbox import FunctionSpec
from tests.codifier.shop import subject, verdict
from tests.races.racing import Racer, errors, race


def queue(change: Callable[[Jobs], object]) -> Racer:
    """Return a racer that uses the queue, under an owner of its own."""
    return lambda engine: change(Jobs(engine))


@pytest.fixture
def jobs(engine: Engine) -> Jobs:
    return Jobs(engine)


def put(jobs: Jobs, *keys: str, lane: str = "") -> None:
    for key in keys:
        jobs.put("observe", key, key=key, lane=lane)


def job(kind: str, task: str) -> NewJob:
    return NewJob(kind=kind, subject=task, key=f"{kind}:{task}")


def leased(found: list[object]) -> list[str]:
    return sorted(job.subject for job in found if isinstance(job, Job))


def test_one_key_is_queued_once(database: str, jobs: Jobs) -> None:
    assert Counter(race(database, *[queue(lambda jobs: jobs.put("observe", "t", key="t"))] * 4)) == {True: 1, False: 3}


def test_each_task_has_a_turn_of_its_own(database: str, jobs: Jobs) -> None:
    together = [queue(partial(Jobs.put_together, jobs=[job("x", task), job("y", task)])) for task in "abcd"]
    assert race(database, *together) == [2] * 4
    turns: dict[int, set[str]] = {}
    while (taken := jobs.lease()) is not None:
        turns.setdefault(taken.turn, set()).add(taken.subject)
    assert sorted(map(sorted, turns.values())) == [["a"], ["b"], ["c"], ["d"]]


def test_each_job_is_leased_once(database: str, jobs: Jobs) -> None:
    put(jobs, "a", "b", "c")
    assert leased(race(database, *[queue(lambda jobs: jobs.lease())] * 6)) == ["a", "b", "c"]


def test_of_a_lane_one_job_runs_and_other_lanes_do_not_wait(database: str, jobs: Jobs) -> None:
    put(jobs, "a1", "a2", lane="a")
    put(jobs, "b1", "b2", lane="b")
    found = race(database, *[queue(lambda jobs: jobs.lease())] * 6)
    assert (errors(found), leased(found)) == ([], ["a1", "b1"])


def test_a_job_is_done_or_cancelled(database: str, jobs: Jobs) -> None:
    put(jobs, "a")
    job = jobs.lease()
    assert job is not None
    done, cancelled = race(database, lambda _engine: jobs.finish(job), queue(lambda jobs: jobs.cancel(job.id).state))
    state = jobs.show(job.id).state
    assert state == (JobState.DONE if done is True else JobState.CANCELLED)
    assert (cancelled == JobState.CANCELLED) is (done is False)


def test_a_job_that_is_tried_again_runs_once(database: str, jobs: Jobs) -> None:
    put(jobs, "a")
    retrying = [queue(lambda jobs: jobs.retry(1).state), queue(lambda jobs: jobs.retry_all())]
    found = race(database, *retrying, *[queue(lambda jobs: jobs.lease())] * 3)
    assert leased([*found, jobs.lease()]) == ["a"]  # who comes while it is put back finds none, and asks again
    record = jobs.show(1)
    assert (record.state, record.attempts) == (JobState.RUNNING, 1)


def test_a_cancelled_job_is_lost_to_its_worker(database: str, jobs: Jobs) -> None:
    put(jobs, "a")
    job = jobs.lease()
    assert job is not None
    race(database, lambda _e: jobs.renew(job), queue(lambda jobs: jobs.cancel(1)), lambda _e: jobs.fail(job, "out"))
    assert jobs.show(1).state in (JobState.CANCELLED, JobState.QUEUED)
    assert not jobs.finish(job)


def test_old_jobs_are_reduced_once_and_stay_known(database: str, jobs: Jobs) -> None:
    put(jobs, "a", "b", "c")
    while (job := jobs.lease()) is not None:
        jobs.finish(job)
    pruning = queue(lambda jobs: jobs.prune(kept=timedelta(seconds=-1)))
    again = queue(lambda jobs: jobs.put("observe", "a", key="a"))
    *pruned, put_again = race(database, pruning, pruning, pruning, again)
    assert (Counter(pruned), put_again) == ({3: 1, 0: 2}, False)
    assert jobs.keys() == {"a", "b", "c"}


def test_what_a_dead_worker_left_is_taken_up_once(database: str, jobs: Jobs, engine: Engine) -> None:
    put(jobs, "a", "b")
    gone = Jobs(engine, clock=lambda: now() - timedelta(days=1))
    assert {gone.lease() is None, gone.lease() is None} == {False}
    found = race(database, *[queue(lambda jobs: jobs.lease())] * 4)
    assert (errors(found), leased(found)) == ([], ["a", "b"])
    assert {jobs.show(number).deaths for number in (1, 2)} == {1}


def test_every_function_that_is_told_is_remembered(database: str, engine: Engine) -> None:
    def telling(name: str) -> Racer:
        functions = {f"shop.{name}{n}": FunctionSpec(name=f"shop.{name}{n}") for n in range(3)}
        return lambda engine: Scopes(engine).remember("shop", functions).environment

    assert race(database, *(telling(name) for name in "abcdefg")) == ["shop"] * 7
    assert len(Scopes(engine).functions("shop")) == 21


def test_a_name_of_an_environment_is_taken_and_given_back_once(database: str, engine: Engine) -> None:
    connection = ObjectConnection(target="tests.races.test_jobs_and_counts:Shop")
    adding: Racer = lambda engine: KnownEnvironments(engine).add("shop", connection)  # noqa: E731
    assert errors(race(database, *[adding] * 3)) == ["InputInvalid"] * 2
    race(database, *[lambda engine: KnownEnvironments(engine).remove("shop")] * 3)
    assert KnownEnvironments(engine).all() == {}


def test_every_decision_is_kept(database: str, engine: Engine) -> None:
    decision = ApprovalDecision(environment="shop", function="shop.drop", allowed=False, by="ada")
    assert race(database, *[lambda engine: Approvals(engine).add(decision)] * 5) == [None] * 5
    assert len(Approvals(engine).all()) == 5


def test_one_judgement_is_kept_of_one_candidate(database: str, engine: Engine) -> None:
    given = subject()
    judged = verdict(given)
    found = race(database, *[lambda engine: Verdicts(engine).add(given.candidate, judged)] * 4)
    assert (errors(found), len(Verdicts(engine).list())) == ([], 1)


def test_every_input_of_a_plan_is_counted_once(database: str, engine: Engine) -> None:
    selecting = [
        lambda engine, n=n: Recurrence(engine).select("p", task_id=f"t{n}", input_key=f"i{n % 4}").groups
        for n in range(8)
    ]
    assert errors(race(database, *selecting)) == []
    assert (len(Recurrence(engine).buffer("p").candidates), Recurrence(engine).buffer("p").groups) == (4, 4)


def test_every_refusal_is_counted_and_a_codified_plan_is_emptied(database: str, engine: Engine) -> None:
    Recurrence(engine).select("p", task_id="t", input_key="i")
    race(database, *[lambda engine: Recurrence(engine).refused("p")] * 4)
    assert Recurrence(engine).buffer("p").attempts == 4
    race(database, *[lambda engine: Recurrence(engine).codified("p")] * 3)
    assert Recurrence(engine).buffer("p").candidates == ()


def test_a_budget_of_a_day_is_exact(database: str, engine: Engine) -> None:
    limits = DayLimits(attempts=3)
    found = race(database, *[lambda engine: Daily(engine, limits).attempt()] * 8)
    assert (errors(found), found.count(None)) == (["Deferred"] * 5, 3)
    with pytest.raises(Deferred, match="3 of 3 attempts of today are used"):
        Daily(engine, limits).attempt()


def test_every_reply_is_charged(database: str, engine: Engine) -> None:
    reply = Reply(text="x", prompt_tokens=10, completion_tokens=5, dollars=0.25)
    assert race(database, *[lambda engine: Daily(engine, DayLimits()).charge(reply)] * 6) == [None] * 6
    assert race(database, *[lambda engine: Ledger(engine).add(reply, "m")] * 6) == [None] * 6
    (day,) = Ledger(engine).days()
    with engine.begin() as connection:
        spent = connection.execute(select(SPENDING.c.tokens, SPENDING.c.dollars)).one()
    assert (tuple(spent), day.calls, day.dollars) == ((90, 1.5), 6, 1.5)


def test_a_reply_is_kept_once(database: str, engine: Engine) -> None:
    asked = [Message(role=Role.USER, content="hello")]

    def asking(engine: Engine) -> str:
        return Cached(ScriptedModel([Reply(text="hi")]), engine).complete(asked).text

    assert race(database, *[asking] * 4) == ["hi"] * 4
    with engine.begin() as connection:
        assert connection.scalar(select(func.count()).select_from(REPLY)) == 1
