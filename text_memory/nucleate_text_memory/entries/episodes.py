"""The life of raw runs: never changed, and dropped by writes alone, when nothing is lost that a reader would miss.

A run that no entry names as evidence is dropped after the grace period if it never ended, or if enough other runs with
the same sequence of calls are kept as exemplars. The task, its hash and the reason stay.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from nucleate_text_memory.entries.contract import Episodes
from nucleate_text_memory.identity import digest
from nucleate_text_memory.reading.statements import utc
from nucleate_text_memory.tables import LINK, STEP, TASK, TRAJECTORY

_LOOKS = 100  # for each time that the bound is reached
_NEVER_ENDED = "it never ended: no outcome, and no step or a failed one last"


@dataclass(frozen=True, kw_only=True)
class Compaction:
    """The tasks whose runs were dropped: those that never ended, and those for which an exemplar stands."""

    unfinished: tuple[str, ...]
    represented: tuple[str, ...]
    kept: int


@dataclass(frozen=True, kw_only=True)
class _Run:
    task_id: str
    functions: str
    ended: bool
    old: bool
    consolidated: bool


def compact(connection: Connection, scope: str, *, at: datetime, rules: Episodes) -> Compaction:
    """Drop what may be dropped of a scope."""
    runs = _runs(connection, scope, at - timedelta(days=rules.grace_days))
    evidence = set(connection.scalars(select(LINK.c.target).where(LINK.c.relation == "evidence")))
    unfinished = [run for run in runs if run.old and not run.ended and run.task_id not in evidence]
    clusters: defaultdict[str, list[_Run]] = defaultdict(list)
    for run in runs:
        if run.ended:
            clusters[run.functions].append(run)
    represented = [
        (run, cluster[0])
        for cluster in clusters.values()
        for run in cluster[rules.exemplars :]
        if run.old and run.consolidated and run.task_id not in evidence
    ]
    for run in unfinished:
        _drop(connection, run, at, _NEVER_ENDED)
    for run, exemplar in represented:
        _drop(connection, run, at, f"its calls are those of task {exemplar.task_id!r}, which is kept")
    dropped = len(unfinished) + len(represented)
    return Compaction(
        unfinished=tuple(run.task_id for run in unfinished),
        represented=tuple(run.task_id for run, _ in represented),
        kept=len(runs) - dropped,
    )


def crowded(connection: Connection, scope: str, rules: Episodes) -> bool:
    """Return whether a scope holds more whole runs than the contract lets pass without compaction.

    It is looked at once in a while, since counting costs more than storing where there are many.
    """
    newest = connection.scalar(select(func.max(TRAJECTORY.c.id))) or 0
    if not rules.automatic_above or newest % max(1, rules.automatic_above // _LOOKS):
        return False
    whole = select(func.count()).select_from(TRAJECTORY.join(TASK, TASK.c.id == TRAJECTORY.c.task_id))
    counted = connection.scalar(whole.where(TASK.c.scope == scope, TRAJECTORY.c.dropped_at.is_(None))) or 0
    return counted > rules.automatic_above


def _runs(connection: Connection, scope: str, before: datetime) -> list[_Run]:
    joined = select(TRAJECTORY).join(TASK, TASK.c.id == TRAJECTORY.c.task_id)
    heads = connection.execute(
        joined.where(TASK.c.scope == scope, TRAJECTORY.c.dropped_at.is_(None)).order_by(TRAJECTORY.c.id)
    ).all()
    steps: defaultdict[str, list[Any]] = defaultdict(list)
    called = select(STEP.c.task_id, STEP.c.function, STEP.c.error_kind).join(TASK, TASK.c.id == STEP.c.task_id)
    for row in connection.execute(called.where(TASK.c.scope == scope).order_by(STEP.c.task_id, STEP.c.position)):
        steps[row.task_id].append(row)
    return [_run(head, steps[head.task_id], before) for head in heads]


def _run(head: Any, steps: list[Any], before: datetime) -> _Run:
    judged = head.success is not None or head.reward is not None
    return _Run(
        task_id=head.task_id,
        functions=digest([[step.function, step.error_kind] for step in steps]),
        ended=judged or bool(steps and steps[-1].error_kind is None),
        old=utc(head.recorded_at) <= utc(before),
        consolidated=head.reflected_at is not None,
    )


def _drop(connection: Connection, run: _Run, at: datetime, why: str) -> None:
    connection.execute(delete(STEP).where(STEP.c.task_id == run.task_id))
    gone = {"dropped_at": utc(at), "dropped_because": why, "meta": "{}"}
    connection.execute(update(TRAJECTORY).where(TRAJECTORY.c.task_id == run.task_id).values(**gone))
