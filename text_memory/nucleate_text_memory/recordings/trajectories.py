"""Trajectories in the database: whole or not at all, and never changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from nucleate_text_memory.errors import TaskConflict, UnknownTask
from nucleate_text_memory.identity import canonical, content_hash, input_key, pool_key, written
from nucleate_text_memory.inputs import input_of
from nucleate_text_memory.recordings.calls_read import CALL_IDS
from nucleate_text_memory.recordings.error_classes import error_keys
from nucleate_text_memory.recordings.signatures import signatures
from nucleate_text_memory.tables import POOL, STEP, TASK, TRAJECTORY, now
from nucleate_text_memory.values import Json, Kind, Step, StepError, Trajectory, Utterance

_BATCH = 500


def insert_trajectory(connection: Connection, trajectory: Trajectory) -> bool:
    """Store a redacted trajectory and its evidence for the candidate pool; False if this very one is there."""
    task_id, content = trajectory.task_id, content_hash(trajectory)
    known = connection.scalar(select(TRAJECTORY.c.content_hash).where(TRAJECTORY.c.task_id == task_id))
    if known is not None:
        _refuse_other_content(task_id, known, content)
        return False
    key = input_key(trajectory.query)
    task = {"id": task_id, "scope": trajectory.environment, "query": trajectory.query, "input_key": key}
    beside = {"meta": canonical(trajectory.meta), "selected": canonical([*trajectory.selected])}
    said: list[Json] = [[one.text, one.at] for one in trajectory.said]
    beside = {**beside, "said": canonical(said), "group": trajectory.group}
    outcome = {"success": trajectory.success, "reward": trajectory.reward, **beside}
    connection.execute(insert(TASK), task)
    connection.execute(insert(TRAJECTORY), {"task_id": task_id, "content_hash": content, **outcome})
    _insert_all(connection, STEP, [_step_row(task_id, i, step) for i, step in enumerate(trajectory.steps)])
    _insert_all(connection, POOL, [{"input_key": key, **row, "task_id": task_id} for row in _evidence(trajectory)])
    return True


def load(connection: Connection, task_ids: Sequence[str]) -> list[Trajectory]:
    """Return the trajectories of these tasks, in the order in which they were stored."""
    found = [
        pair
        for start in range(0, len(task_ids), _BATCH)
        for pair in _load_batch(connection, task_ids[start : start + _BATCH])
    ]
    return [trajectory for _, trajectory in sorted(found, key=lambda pair: pair[0])]


def load_one(connection: Connection, task_id: str) -> Trajectory:
    """Return the trajectory of a task."""
    found = load(connection, [task_id])
    if found:
        return found[0]
    why = connection.scalar(select(TRAJECTORY.c.dropped_because).where(TRAJECTORY.c.task_id == task_id))
    if why is not None:
        raise UnknownTask(f"the trajectory of task {task_id!r} was dropped: {why}")
    raise UnknownTask(f"no trajectory of task {task_id!r}; store it first")


def stored_ids(connection: Connection, scope: str | None) -> list[str]:
    """Return the ids of the stored tasks (of one scope), in the order in which they were stored."""
    joined = select(TRAJECTORY.c.task_id).join(TASK, TASK.c.id == TRAJECTORY.c.task_id).order_by(TRAJECTORY.c.id)
    return list(connection.scalars(joined if scope is None else joined.where(TASK.c.scope == scope)))


def stored_calls(connection: Connection) -> dict[str, set[str]]:
    """Return the ids of the calls that recordings told, by format and session."""
    found: dict[str, set[str]] = {}
    for text in connection.scalars(select(TRAJECTORY.c.meta).where(TRAJECTORY.c.meta.contains(f'"{CALL_IDS}":'))):
        meta = json.loads(text)
        if isinstance(ids := meta.get(CALL_IDS), list):
            found.setdefault(f"{meta.get('format')}:{meta.get('session')}", set()).update(map(str, ids))
    return found


def first_reflection(connection: Connection, task_id: str) -> bool:
    """Note that a run is learned from; return whether that is for the first time."""
    unseen = (TRAJECTORY.c.task_id == task_id, TRAJECTORY.c.reflected_at.is_(None))
    return connection.execute(update(TRAJECTORY).where(*unseen).values(reflected_at=now())).rowcount > 0


def _refuse_other_content(task_id: str, known: str, content: str) -> None:
    if known != content:
        raise TaskConflict(f"task {task_id!r} has another trajectory already; store this one under a new task id")


def _evidence(trajectory: Trajectory) -> list[dict[str, Any]]:
    scope = trajectory.environment
    plans = [
        {
            "key": pool_key(Kind.PLAN, scope, signature),
            "kind": Kind.PLAN.value,
            "input_key": input_of(trajectory, [run.steps for run in runs]),
            **_range(runs[0].steps[0], runs[-1].steps[-1]),
        }
        for signature, runs in signatures(trajectory).items()
    ]
    facts = [
        {"key": pool_key(Kind.FACT, scope, signature), "kind": Kind.FACT.value, **_range(index, index)}
        for signature, index in error_keys(trajectory).items()
    ]
    return plans + facts


def _range(first: int, last: int) -> dict[str, int]:
    return {"start": first, "stop": last + 1}


def _insert_all(connection: Connection, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table), rows)


def _step_row(task_id: str, position: int, step: Step) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "position": position,
        "function": step.function,
        "arguments": written(step.arguments),
        "result": written(step.result),
        "error_kind": step.error.kind if step.error else None,
        "error_message": step.error.message if step.error else None,
    }


def _load_batch(connection: Connection, task_ids: Sequence[str]) -> list[tuple[int, Trajectory]]:
    steps: dict[str, list[Step]] = {task_id: [] for task_id in task_ids}
    for row in connection.execute(select(STEP).where(STEP.c.task_id.in_(task_ids)).order_by(STEP.c.position)):
        steps[row.task_id].append(_step(row))
    heads = select(TRAJECTORY, TASK.c.query, TASK.c.scope).join(TASK, TASK.c.id == TRAJECTORY.c.task_id)
    return [
        (row.id, _trajectory(row, steps[row.task_id]))
        for row in connection.execute(
            heads.where(TRAJECTORY.c.task_id.in_(task_ids), TRAJECTORY.c.dropped_at.is_(None))
        )
    ]


def _trajectory(row: Row[Any], steps: list[Step]) -> Trajectory:
    return Trajectory(
        task_id=row.task_id,
        query=row.query,
        environment=row.scope,
        steps=tuple(steps),
        success=row.success,
        reward=row.reward,
        meta=json.loads(row.meta),
        selected=tuple(json.loads(row.selected)),
        said=tuple(Utterance(text=text, at=at) for text, at in json.loads(row.said)),
        group=row.group,
    )


def _step(row: Row[Any]) -> Step:
    error = None if row.error_kind is None else StepError(kind=row.error_kind, message=row.error_message)
    return Step(function=row.function, arguments=json.loads(row.arguments), result=json.loads(row.result), error=error)
