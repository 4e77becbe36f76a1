"""The loop: tasks as they happen, what they touched, what came of it, and what needs a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, func
from starlette.responses import Response

from nucleate.modes import theta_of
from nucleate.web.charting import Chart, Series, moving_mean
from nucleate.web.reads import entry_rows, task_rows, verdict_rows
from nucleate.web.reads.selecting import select
from nucleate.web.visit import PageVisit
from nucleate_codifier import Decision
from nucleate_text_memory.tables import TrajectoryRow
from nucleate_tool_library.tables import InvocationRow, ToolRow
from nucleate_tool_library.trials.trial_tables import CanaryRow

TASKS = 12
PLANS = 8
_WINDOW = 8


@dataclass(frozen=True, kw_only=True)
class Need:
    """Something that waits for a person: how much of it, what it is, and where it is decided."""

    count: int
    what: str
    place: str


def loop(visit: PageVisit) -> Response:
    """Show the loop."""
    engine = visit.site.engine
    lines = task_rows.tasks(engine, task_rows.TaskFilter(), limit=TASKS)
    ids = [line.id for line in lines]
    touched = task_rows.plans_touched(engine, ids)
    recent = entry_rows.recent_plans(engine, limit=PLANS)
    plans = list(dict.fromkeys([*recent, *(plan for found in touched.values() for plan in found)]))
    return visit.page(
        "loop.html",
        tasks=lines,
        touched=touched,
        learned=task_rows.learned_from(engine, ids),
        recent=recent,
        plans=_plans(visit, plans),
        judged=verdict_rows.verdicts(engine, limit=6),
        judging=visit.site.told.judging(),
        needs=needs(visit),
        figures=_figures(visit),
        charts=_charts(task_rows.curve(engine)),
    )


def needs(visit: PageVisit) -> list[Need]:
    """Return what waits for a person, each with the page on which it is decided."""
    engine = visit.site.engine
    statuses, jobs = visit.site.statuses(), visit.site.jobs.counts()
    with engine.begin() as connection:
        suspects = (
            connection.scalar(select(func.count()).select_from(ToolRow).where(col(ToolRow.state) == "suspect")) or 0
        )
        first = connection.scalar(select(func.count()).select_from(ToolRow).where(col(ToolRow.state) == "canary")) or 0
        canaries = connection.scalar(select(func.count()).select_from(CanaryRow)) or 0
    unapproved = [
        line
        for line in verdict_rows.verdicts(engine, limit=60, only=[Decision.REJECTED])
        if any(item.get("rule") == "safety/destructive" for item in line.findings)
    ]
    again = verdict_rows.refused_again(engine)
    found = [
        Need(count=statuses.get("quarantined", 0), what="in quarantine", place="/memory?status=quarantined"),
        Need(count=len(unapproved), what="without approval", place="/refused?rule=safety/destructive"),
        Need(count=canaries + first, what="on trial", place="/tools?health=trial"),
        Need(count=suspects, what="suspect", place="/tools?state=suspect"),
        Need(count=len(again), what="refused twice", place="/refused?again=1"),
        Need(count=jobs.get("dead", 0), what="dead jobs", place="/jobs?state=dead"),
    ]
    return [need for need in found if need.count]


def _plans(visit: PageVisit, ids: Sequence[str]) -> Mapping[str, dict[str, Any]]:
    engine = visit.site.engine
    filled = entry_rows.fillings(engine, ids, theta=theta_of(visit.site.settings))
    tools = task_rows.tools_of(engine, ids)
    return {
        plan: {"title": title, "steps": json.loads(signature), "filled": filled[plan], "tools": tools.get(plan, [])}
        for plan, (title, signature) in entry_rows.plan_lines(engine, ids).items()
    }


def _figures(visit: PageVisit) -> list[tuple[str, int | float]]:
    serving = ["active", "canary", "candidate"]
    with visit.site.engine.begin() as connection:
        tools = connection.scalar(select(func.count()).select_from(ToolRow).where(col(ToolRow.state).in_(serving))) or 0
        tasks = connection.scalar(select(func.count()).select_from(TrajectoryRow)) or 0
        newest = connection.scalar(select(func.max(InvocationRow.id))) or 0
    paths = visit.site.kept("paths", newest // (1 + newest // 2_000), visit.site.library.paths)
    return [
        ("tasks recorded", tasks),
        ("plans, facts, pitfalls", visit.site.statuses().get("active", 0)),
        ("tools in service", tools),
        ("calls of tools", sum(path.uses for path in paths)),
        ("calls saved", sum(path.calls_saved for path in paths)),
    ]


def _charts(points: Sequence[task_rows.CurvePoint]) -> list[Chart]:
    numbers = [float(point.number) for point in points]
    found = []
    for title, unit, values in (
        ("Calls per task", "", [point.calls for point in points]),
        ("Tokens per task", "estimated", [point.tokens for point in points]),
    ):
        plain = [None if point.with_tool else float(value) for point, value in zip(points, values, strict=True)]
        tool = [float(value) if point.with_tool else None for point, value in zip(points, values, strict=True)]
        mean = moving_mean([float(value) for value in values], _WINDOW)
        lines = (
            Series("step by step", plain, "dots", "muted"),
            Series("with a tool", tool, "dots", "accent"),
            Series(f"mean of {_WINDOW}", mean, "line", "ink"),
        )
        found.append(Chart(title=title, unit=unit, across="task", at=numbers, lines=lines))
    return found if points else []
