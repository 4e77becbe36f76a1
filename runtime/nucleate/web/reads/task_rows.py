"""Recorded tasks, newest first: what was asked, the calls, what they weighed, which plans they touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, case
from sqlmodel import col, func

from nucleate.web.reads.selecting import select
from nucleate_codifier.tables import RecurrenceRow
from nucleate_text_memory.tables import EntryLinkRow, EntryRow, StepRow, TaskRow, TrajectoryRow

CALLS_SHOWN = 24
CURVE = 300
CHARACTERS_PER_TOKEN = 4  # what a token stands for where nothing counted them
_RECENT = 600
_LOOKED_THROUGH = 5_000


@dataclass(frozen=True, kw_only=True)
class CallMade:
    """One call of a task; a name without a namespace is a tool."""

    function: str
    error: str | None

    @property
    def is_tool(self) -> bool:
        """Return whether it is a call of a tool of the library."""
        return "." not in self.function


@dataclass(frozen=True, kw_only=True)
class TaskLine:
    """One task of a list; `number` is its place in the order in which tasks were stored."""

    number: int
    id: str
    scope: str
    query: str
    success: bool | None
    at: datetime
    calls: Sequence[CallMade] = ()
    count: int = 0


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """What one task took: calls, estimated tokens, and whether a tool was among its calls."""

    number: int
    calls: int
    tokens: int
    with_tool: bool


@dataclass(frozen=True, kw_only=True)
class TaskFilter:
    """Which tasks: of a scope, with a word in the query, ended so, stored before a number."""

    scope: str = ""
    words: str = ""
    ended: str = ""
    before: int = 0


def tasks(engine: Engine, wanted: TaskFilter, *, limit: int) -> list[TaskLine]:
    """Return tasks with their calls. Words are looked for among the newest tasks alone."""
    query = select(
        TrajectoryRow.id, TaskRow.id, TaskRow.scope, TaskRow.query, TrajectoryRow.success, TrajectoryRow.recorded_at
    ).join(TaskRow, col(TaskRow.id) == col(TrajectoryRow.task_id))
    if wanted.scope:
        query = query.where(col(TaskRow.scope) == wanted.scope)
    if wanted.before:
        query = query.where(col(TrajectoryRow.id) < wanted.before)
    if wanted.ended:
        query = query.where(col(TrajectoryRow.success).is_(wanted.ended == "solved"))
    with engine.begin() as connection:
        if wanted.words:
            newest = connection.scalar(select(func.max(TrajectoryRow.id))) or 0
            query = query.where(col(TrajectoryRow.id) > newest - _LOOKED_THROUGH)
            for word in wanted.words.split():
                query = query.where(col(TaskRow.query).icontains(word, autoescape=True))
        rows = connection.execute(query.order_by(col(TrajectoryRow.id).desc()).limit(limit)).all()
        ids = [row[1] for row in rows]
        calls, counts = _calls(connection, ids), _counts(connection, ids)
    return [
        TaskLine(
            number=row[0] or 0, id=row[1], scope=row[2], query=row[3], success=row[4], at=row[5],
            calls=calls[row[1]], count=counts.get(row[1], 0),
        )
        for row in rows
    ]  # fmt: skip


def plans_touched(engine: Engine, task_ids: Sequence[str]) -> Mapping[str, list[str]]:
    """Return for each of these recent tasks the plans for which it was counted."""
    newest = select(RecurrenceRow.task_id, RecurrenceRow.plan_id).order_by(col(RecurrenceRow.id).desc()).limit(_RECENT)
    wanted, found = set(task_ids), defaultdict[str, list[str]](list)
    with engine.begin() as connection:
        for task, plan in connection.execute(newest):
            if task in wanted:
                found[task].append(plan)
    return found


def learned_from(engine: Engine, task_ids: Sequence[str]) -> Mapping[str, list[tuple[str, str, str]]]:
    """Return for each task the entries that were written from it, as (id, kind, title)."""
    sources = [f"task:{task}" for task in task_ids]
    query = select(EntryRow.source, EntryRow.id, EntryRow.kind, EntryRow.title)
    found = defaultdict[str, list[tuple[str, str, str]]](list)
    with engine.begin() as connection:
        for source, id_, kind, title in connection.execute(query.where(col(EntryRow.source).in_(sources)).limit(400)):
            found[source.removeprefix("task:")].append((id_, kind, title))
    return found


def tools_of(engine: Engine, plan_ids: Sequence[str]) -> Mapping[str, list[str]]:
    """Return for each plan the names of the tools that were made from it."""
    query = select(EntryLinkRow.entry_id, EntryLinkRow.target).where(col(EntryLinkRow.relation) == "implements")
    found = defaultdict[str, list[str]](list)
    with engine.begin() as connection:
        for plan, tool in connection.execute(query.where(col(EntryLinkRow.entry_id).in_(plan_ids)).limit(400)):
            found[plan].append(tool)
    return found


def curve(engine: Engine) -> list[CurvePoint]:
    """Return what the latest tasks took, the oldest first."""
    newest = select(TrajectoryRow.id, TrajectoryRow.task_id).order_by(col(TrajectoryRow.id).desc()).limit(CURVE)
    weight = func.length(StepRow.function) + func.length(StepRow.arguments) + func.length(StepRow.result)
    tool = func.max(case((col(StepRow.function).like("%.%"), 0), else_=1))
    query = select(StepRow.task_id, func.count(), func.sum(weight), tool).group_by(StepRow.task_id)
    with engine.begin() as connection:
        numbers = {row[1]: row[0] or 0 for row in connection.execute(newest)}
        rows = connection.execute(query.where(col(StepRow.task_id).in_(list(numbers)))).all()
    points = [
        CurvePoint(
            number=numbers[task], calls=count, tokens=int(weighed or 0) // CHARACTERS_PER_TOKEN, with_tool=bool(tools)
        )
        for task, count, weighed, tools in rows
    ]
    return sorted(points, key=lambda point: point.number)


def _calls(connection: Connection, ids: Sequence[str]) -> Mapping[str, list[CallMade]]:
    query = select(StepRow.task_id, StepRow.function, StepRow.error_kind)
    query = query.where(col(StepRow.task_id).in_(ids), col(StepRow.position) < CALLS_SHOWN)
    found = defaultdict[str, list[CallMade]](list)
    for task, function, error in connection.execute(query.order_by(StepRow.task_id, col(StepRow.position))):
        found[task].append(CallMade(function=function, error=error))
    return found


def _counts(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    query = select(StepRow.task_id, func.count()).where(col(StepRow.task_id).in_(ids)).group_by(StepRow.task_id)
    return {task: count for task, count in connection.execute(query)}  # noqa: C416 - rows are no pairs to dict()


def supported_by(engine: Engine, task_id: str) -> list[tuple[str, str, str]]:
    """Return the entries that rest on one task, as (id, kind, title)."""
    linked = (
        select(EntryRow.id, EntryRow.kind, EntryRow.title)
        .join(EntryLinkRow, col(EntryLinkRow.entry_id) == col(EntryRow.id))
        .where(col(EntryLinkRow.relation) == "evidence", col(EntryLinkRow.target) == task_id)
    )
    with engine.begin() as connection:
        return [(row[0], row[1], row[2]) for row in connection.execute(linked.limit(40))]
