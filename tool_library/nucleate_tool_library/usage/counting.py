"""Counts every use on every path, and sums as it counts, so that no question has to add up the past."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, case, func, insert, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from nucleate_tool_library.tables import InvocationRow, UsageRow
from nucleate_tool_library.usage.usage import PathUse


def record(
    engine: Engine,
    version_id: str,
    *,
    ok: bool,
    milliseconds: float,
    calls: int,
    path: str,
    error: str | None,
    at: datetime,
) -> bool:
    """Count one use; False where it could not be stored.

    `ok` says that the tool did its part; what it passed on, as a refusal of the environment, is its `error` then.
    """
    use = {
        "version_id": version_id,
        "ok": ok,
        "milliseconds": milliseconds,
        "calls": calls,
        "path": path,
        "error": error,
        "at": at,
    }
    counted = (
        update(UsageRow)
        .where(col(UsageRow.version_id) == version_id)
        .values(uses=UsageRow.uses + 1, passes=UsageRow.passes + int(ok))
    )
    try:
        with engine.begin() as connection:
            known = bool(connection.execute(counted).rowcount)
            if known:
                connection.execute(insert(InvocationRow), use)
        return known
    except SQLAlchemyError:
        return False


def paths(session: Session) -> tuple[PathUse, ...]:
    """Return what calls came by each path, and how many calls of the environment they stood for."""
    passes = func.sum(case((col(InvocationRow.ok), 1), else_=0))
    whole = col(InvocationRow.ok) & col(InvocationRow.error).is_(None)
    saved = func.sum(case((whole & (col(InvocationRow.calls) > 1), InvocationRow.calls - 1), else_=0))
    query = select(InvocationRow.path, func.count(), passes, saved).group_by(InvocationRow.path)
    found = session.exec(query.order_by(InvocationRow.path)).all()
    return tuple(PathUse(path=path, uses=uses, passes=ok, calls_saved=less) for path, uses, ok, less in found)
