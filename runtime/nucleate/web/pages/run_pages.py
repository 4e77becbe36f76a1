"""Recorded runs: as a list, and one step by step with the guidance it was given and what was learned from it."""

from __future__ import annotations

from starlette.responses import Response

from nucleate.web.reads import entry_rows, task_rows
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_text_memory import UnknownTask

PER_PAGE = 30
STEPS = 60


def runs(visit: PageVisit) -> Response:
    """Show one page of runs, the newest first."""
    asked = {name: visit.asked(name) for name in ("scope", "ended")}
    wanted = task_rows.TaskFilter(
        scope=asked["scope"], ended=asked["ended"], words=visit.asked("q")[:200], before=visit.count("before")
    )
    found = task_rows.tasks(visit.site.engine, wanted, limit=PER_PAGE + 1)
    lines, more = found[:PER_PAGE], len(found) > PER_PAGE
    return visit.page(
        "runs.html",
        lines=lines,
        more=lines[-1].number if more else 0,
        asked=asked,
        words=wanted.words,
        scopes=visit.site.scopes(),
    )


def run(visit: PageVisit) -> Response:
    """Show one run, some steps at a time."""
    engine, id_ = visit.site.engine, visit.part("id")
    try:
        found = visit.site.memory.trajectory(id_)
    except UnknownTask as error:
        raise NothingThere(str(error)) from error
    first = visit.count("from", most=len(found.steps))
    touched = task_rows.plans_touched(engine, [id_]).get(id_, [])
    plans = entry_rows.plan_lines(engine, [*found.selected, *touched])
    tools = task_rows.tools_of(engine, list(plans))
    names = {step.function for step in found.steps if "." not in step.function}
    return visit.page(
        "run.html",
        run=found,
        steps=list(enumerate(found.steps))[first : first + STEPS],
        first=first,
        per=STEPS,
        selected=[(plan, plans[plan][0]) for plan in found.selected if plan in plans],
        touched=[(plan, plans[plan][0], tools.get(plan, [])) for plan in dict.fromkeys(touched) if plan in plans],
        learned=task_rows.learned_from(engine, [id_]).get(id_, []),
        used=sorted(names),
        supported=task_rows.supported_by(engine, id_),
        said={utterance.at: utterance.text for utterance in found.said},
    )
