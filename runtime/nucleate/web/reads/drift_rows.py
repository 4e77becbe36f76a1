"""When an environment was last seen, which of its changes made tools suspect, and who allowed what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col

from nucleate.tables import ApprovalRow, EnvironmentRow
from nucleate.web.reads.selecting import select
from nucleate_tool_library.tables import ReleaseRow, ToolRow

MOST = 60


@dataclass(frozen=True, kw_only=True)
class DriftLine:
    """A tool that a change of its environment, or of what it calls, made suspect, or that came back after one."""

    at: datetime
    tool: str
    was: str | None
    now: str
    by: str
    why: str


def drifts(engine: Engine, scope: str) -> list[DriftLine]:
    """Return what made tools of a scope suspect, and what brought them back, the newest first."""
    query = (
        select(ReleaseRow.at, ToolRow.name, ReleaseRow.from_state, ReleaseRow.to_state, ReleaseRow.by, ReleaseRow.why)
        .join(ToolRow, col(ToolRow.id) == col(ReleaseRow.tool_id))
        .where(
            col(ToolRow.scope) == scope,
            (col(ReleaseRow.to_state) == "suspect") | (col(ReleaseRow.from_state) == "suspect"),
        )
    )
    with engine.begin() as connection:
        rows = connection.execute(query.order_by(col(ReleaseRow.id).desc()).limit(MOST))
        return [DriftLine(at=row[0], tool=row[1], was=row[2], now=row[3], by=row[4], why=row[5]) for row in rows]


def seen_at(engine: Engine, name: str) -> datetime | None:
    """Return when the functions of an environment were last seen to be others."""
    with engine.begin() as connection:
        found: datetime | None = connection.scalar(
            select(EnvironmentRow.updated_at).where(col(EnvironmentRow.name) == name)
        )
    return found


def approvals(engine: Engine) -> list[tuple[str, str, str, bool, str, datetime]]:
    """Return the latest destructive calls that were asked for, and what was said to them."""
    query = select(
        ApprovalRow.environment, ApprovalRow.function, ApprovalRow.arguments, ApprovalRow.allowed, ApprovalRow.by,
        ApprovalRow.at,
    )  # fmt: skip
    with engine.begin() as connection:
        rows = connection.execute(query.order_by(col(ApprovalRow.id).desc()).limit(MOST))
        return [(row[0], row[1], row[2], row[3], row[4], row[5]) for row in rows]
