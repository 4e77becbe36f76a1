"""What tasks asked for and which functions then worked: the little of a run by which later tasks are likened to it."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, select

from nucleate_text_memory.tables import STEP, TASK, TRAJECTORY


@dataclass(frozen=True, kw_only=True)
class PastTask:
    """All that a user said in a run, in order, and what was called without an error. `number` grows with every run."""

    number: int
    group: str
    said: tuple[str, ...]
    called: frozenset[str]


def past_tasks(connection: Connection, scope: str, *, limit: int) -> list[PastTask]:
    """Return the newest runs of a scope that nobody judged a failure, in the order stored."""
    wanted = (
        select(TRAJECTORY.c.id, TRAJECTORY.c.task_id, TRAJECTORY.c.group, TRAJECTORY.c.said, TASK.c.query)
        .add_columns(TASK.c.input_key)
        .join(TASK, TASK.c.id == TRAJECTORY.c.task_id)
        .where(TASK.c.scope == scope, TRAJECTORY.c.dropped_at.is_(None))
        .where(TRAJECTORY.c.success.is_not(False))
        .order_by(TRAJECTORY.c.id.desc())
        .limit(limit)
    )
    rows = connection.execute(wanted).all()[::-1]
    tasks = [row.task_id for row in rows]
    made = select(STEP.c.task_id, STEP.c.function).where(STEP.c.task_id.in_(tasks), STEP.c.error_kind.is_(None))
    called: defaultdict[str, set[str]] = defaultdict(set)
    for task_id, function in connection.execute(made.distinct()) if tasks else ():
        called[task_id].add(function)
    return [
        PastTask(
            number=row.id,
            group=row.group or row.input_key,
            said=(row.query, *(text for text, _ in json.loads(row.said))),
            called=frozenset(called[row.task_id]),
        )
        for row in rows
    ]
