"""Counts every use on every path, and sums as it counts, so that no question has to add up the past."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, insert, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col

from nucleate_tool_library.tables import InvocationRow, UsageRow


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
