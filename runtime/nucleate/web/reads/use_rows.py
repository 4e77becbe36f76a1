"""The calls of one tool: the latest of them, by day and by path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlmodel import col

from nucleate.web.reads.selecting import select
from nucleate_tool_library.tables import InvocationRow, ToolRow, UsageRow

MOST = 3_000


@dataclass(frozen=True, kw_only=True)
class UseLine:
    """One call of a tool."""

    at: datetime
    ok: bool
    milliseconds: float
    calls: int
    path: str
    error: str | None


@dataclass(frozen=True, kw_only=True)
class DayOfUse:
    """Uses and errors of one day; `at` is its beginning in seconds, in UTC."""

    at: float
    uses: int
    errors: int


def latest(engine: Engine, name: str, scope: str) -> list[UseLine]:
    """Return the latest calls of all versions of a tool, the newest first."""
    versions = (
        select(UsageRow.version_id)
        .join(ToolRow, col(ToolRow.id) == col(UsageRow.tool_id))
        .where(col(ToolRow.name) == name, col(ToolRow.scope) == scope)
    )
    query = select(
        InvocationRow.at, InvocationRow.ok, InvocationRow.milliseconds, InvocationRow.calls, InvocationRow.path,
        InvocationRow.error,
    ).where(col(InvocationRow.version_id).in_(versions))  # fmt: skip
    names = UseLine.__dataclass_fields__
    with engine.begin() as connection:
        rows = connection.execute(query.order_by(col(InvocationRow.id).desc()).limit(MOST))
        return [UseLine(**dict(zip(names, row, strict=True))) for row in rows]


def by_day(calls: Sequence[UseLine]) -> list[DayOfUse]:
    """Return the days on which there were calls, the oldest first."""
    uses, errors = Counter[float](), Counter[float]()
    for call in calls:
        day = datetime(call.at.year, call.at.month, call.at.day, tzinfo=UTC).timestamp()
        uses[day] += 1
        errors[day] += not call.ok
    return [DayOfUse(at=day, uses=uses[day], errors=errors[day]) for day in sorted(uses)]


def by_path(calls: Sequence[UseLine]) -> list[tuple[str, int]]:
    """Return how many calls came by each path, the most first."""
    return Counter(call.path for call in calls).most_common()
