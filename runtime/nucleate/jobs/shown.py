"""Jobs as they are shown, in plain SQL: nothing here imports what queues or does them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from nucleate.errors import InputInvalid
from nucleate.jobs.job_values import JobRecord, JobState
from nucleate_sandbox import JsonObject
from nucleate_tool_library import StatementRunner, moment

_LISTED = """SELECT * FROM job WHERE state IN :states AND (:whatever OR kind IN :kinds)
    ORDER BY id DESC LIMIT :limit"""
_ONE = "SELECT * FROM job WHERE id = :number"
_COUNTS = "SELECT state, count(*) AS jobs FROM job GROUP BY state ORDER BY state"
_REVIEW = "SELECT record FROM review WHERE task_id = :task"
_MOMENTS = ("created_at", "not_before", "leased_until", "finished_at")


def listed(
    run: StatementRunner, *, states: Sequence[JobState] = (), kinds: Sequence[str] = (), limit: int | None = None
) -> list[JobRecord]:
    """Return jobs (in these states, of these kinds), newest first."""
    wanted = [state.value for state in states or JobState]
    most = sys.maxsize if limit is None else limit
    return [record(row) for row in run(_LISTED, states=wanted, whatever=not kinds, kinds=list(kinds), limit=most)]


def shown(run: StatementRunner, number: int) -> JobRecord:
    """Return one job; InputInvalid where there is none."""
    found = run(_ONE, number=number)
    if not found:
        raise InputInvalid(f"no job {number!r}; `nucleate jobs list` shows all")
    return record(found[0])


def counts(run: StatementRunner) -> dict[str, int]:
    """Return how many jobs are in each state."""
    return {row.state: row.jobs for row in run(_COUNTS)}


def review_of(run: StatementRunner, task_id: str) -> JsonObject | None:
    """Return what is kept of the review of a task; None where there was none."""
    found = run(_REVIEW, task=task_id)
    return dict(json.loads(found[0].record)) if found else None


def record(row: Any) -> JobRecord:
    """Return a row as it is shown."""
    said: dict[str, Any] = {field.name: getattr(row, field.name) for field in fields(JobRecord)}
    moments = {name: moment(said[name]) for name in _MOMENTS if said[name] is not None}
    return JobRecord(**{**said, **moments, "state": JobState(row.state)})
