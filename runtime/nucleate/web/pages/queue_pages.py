"""Jobs and health: the queue with its lanes, dead letters, what models took, the sandbox, and the doctor."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from starlette.responses import Response

from nucleate.checks import checks
from nucleate.errors import InputInvalid
from nucleate.jobs.job_values import JobState
from nucleate.models.ledger import Ledger
from nucleate.web.charting import Chart, Series
from nucleate.web.reads import queue_rows
from nucleate.web.visit import NothingThere, PageVisit

PER_PAGE = 40


def jobs(visit: PageVisit) -> Response:
    """Show the queue: counts, lanes at work, dead jobs, the newest jobs, and the spending of each day."""
    queue, state, engine = visit.site.jobs, visit.asked("state"), visit.site.engine
    states = [JobState(state)] if state in set(JobState) else []
    found = queue_rows.page(engine, state=state if states else "", before=visit.count("before"), limit=PER_PAGE + 1)
    lines, more = found[:PER_PAGE], len(found) > PER_PAGE
    return visit.page(
        "jobs.html",
        counts=queue.counts(),
        lines=lines,
        more=lines[-1].id if more else 0,
        state=state,
        every=[item.value for item in JobState],
        dead=queue.list(states=[JobState.DEAD], limit=10),
        lanes=queue_rows.lanes(engine),
        spending=_spending(visit),
        days=queue_rows.background_days(engine),
        works=visit.site.works,
        sandbox=visit.site.settings.sandbox,
    )


def doctor(visit: PageVisit) -> Response:
    """Look at every part that the product stands on; it takes a few seconds."""
    found = list(checks(visit.site.settings, lambda: _database(visit)))
    return visit.page("doctor.html", checks=found, states=Counter(check.state for check in found))


def do(visit: PageVisit) -> Response:
    """Queue a job again, or every dead one, or cancel one."""
    verb, number = visit.part("verb"), visit.given("number")
    if verb not in ("retry", "cancel", "retry-dead"):
        raise NothingThere(f"there is no verb {verb!r}")
    if verb != "retry-dead" and not number.isdecimal():
        raise InputInvalid(f"{number!r} is no number of a job")
    with visit.site.changing() as runtime:
        if verb == "retry-dead":
            return visit.back_to("/jobs", f"{runtime.jobs.retry_all()} jobs queued again")
        job = runtime.jobs.retry(int(number)) if verb == "retry" else runtime.jobs.cancel(int(number))
    return visit.back_to("/jobs", f"Job {job.id} is {job.state}")


def _spending(visit: PageVisit) -> Chart | None:
    days = Ledger(visit.site.engine).days()[:400]
    if not days:
        return None
    dollars, tokens = Counter[str](), Counter[str]()
    for day in days:
        dollars[day.day] += day.dollars  # type: ignore[assignment]
        tokens[day.day] += day.prompt_tokens + day.completion_tokens
    names = sorted(tokens)
    return Chart(
        title="What models took",
        unit="dollars",
        across="day",
        times=True,
        at=[queue_rows.day_start(name) for name in names],
        lines=(Series("dollars", [float(dollars[name]) for name in names], "bars", "accent"),),
    )


def _database(visit: PageVisit) -> str:
    location = visit.site.settings.database
    size = (
        f", {Path(location).stat().st_size / 1e6:.1f} MB" if "://" not in location and Path(location).exists() else ""
    )
    return f"{location!r}{size}"
