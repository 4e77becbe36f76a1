"""Counts every use on every path, and sums as it counts, so that no question has to add up the past."""

from __future__ import annotations

from sqlalchemy import case, func, insert, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from nucleate_tool_library import names, reading
from nucleate_tool_library.store import Store
from nucleate_tool_library.tables import InvocationRow, UsageRow
from nucleate_tool_library.usage.usage import LibraryUse, PathUse, ToolUse


class Counting(Store):
    """Uses of tools. Measuring is best effort: it never breaks the call that it measures (ALGORITHMS §8)."""

    def record_invocation(
        self, version_id: str, *, ok: bool, milliseconds: float, calls: int, path: str, error: str | None = None
    ) -> bool:
        """Count one use on the path that it came by (`agent`, `cli`, `mcp`, `tool`, `demo`, …).

        The answer says whether it was stored.
        """
        use = {
            "version_id": version_id,
            "ok": ok,
            "milliseconds": milliseconds,
            "calls": calls,
            "path": path,
            "error": error,
            "at": self._clock(),
        }
        counted = (
            update(UsageRow)
            .where(col(UsageRow.version_id) == version_id)
            .values(uses=UsageRow.uses + 1, passes=UsageRow.passes + int(ok))
        )
        try:
            with self._engine.begin() as connection:
                known = bool(connection.execute(counted).rowcount)
                if known:
                    connection.execute(insert(InvocationRow), use)
            return known
        except SQLAlchemyError:
            return False

    def uses(self, name: str, scope: str | None = None) -> int:
        """Return how often a tool was called, over all of its versions and paths."""
        with self._reading() as session:
            tool_id = names.find(session, name, scope).id or 0
            return reading.uses_of(session, [tool_id]).get(tool_id, (0, 0))[0]

    def stats(self, scope: str | None = None) -> LibraryUse:
        """Return uses and reliability per tool, and of the library as a whole (ALGORITHMS §8)."""
        with self._reading() as session:
            found = reading.lines(session, scope, None)
        return LibraryUse(
            tools=tuple(ToolUse(name=line.name, scope=line.scope, uses=line.uses, passes=line.passes) for line in found)
        )

    def paths(self) -> tuple[PathUse, ...]:
        """Return what calls came by each path, and how many calls of the environment they stood for."""
        passes = func.sum(case((col(InvocationRow.ok), 1), else_=0))
        saved = func.sum(
            case((col(InvocationRow.ok) & (col(InvocationRow.calls) > 1), InvocationRow.calls - 1), else_=0)
        )
        query = select(InvocationRow.path, func.count(), passes, saved).group_by(InvocationRow.path)
        with self._reading() as session:
            found = session.exec(query.order_by(InvocationRow.path)).all()
        return tuple(PathUse(path=path, uses=uses, passes=ok, calls_saved=less) for path, uses, ok, less in found)
