"""What models took, as one reads it, in plain SQL: nothing here imports what counts it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from nucleate_tool_library import StatementRunner

_DAYS = """SELECT day, model, calls, prompt_tokens, completion_tokens, dollars, unpriced FROM model_use
    ORDER BY day DESC, model"""
_DOLLARS = "SELECT sum(dollars) AS dollars FROM model_use WHERE day = :day"


@dataclass(frozen=True, kw_only=True)
class DayUse:
    """One model's calls on one day, in UTC. `unpriced` calls are in no sum of dollars."""

    day: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    dollars: float
    unpriced: int


def days(run: StatementRunner) -> tuple[DayUse, ...]:
    """Return every line, the latest day first."""
    return tuple(_day(row) for row in run(_DAYS))


def dollars_on(run: StatementRunner, day: str) -> float:
    """Return what all models cost on one day, in UTC, written as in ISO 8601."""
    return float(run(_DOLLARS, day=day)[0].dollars or 0.0)


def _day(row: Any) -> DayUse:
    return DayUse(**{field.name: getattr(row, field.name) for field in fields(DayUse)})
