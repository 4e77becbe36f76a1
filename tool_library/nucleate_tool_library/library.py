"""The tool library: register, ask, change, count; every change can be looked at before it is made."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from nucleate_tool_library import closures, reading
from nucleate_tool_library.asking import Asking
from nucleate_tool_library.changing import Changing
from nucleate_tool_library.moving import Moving
from nucleate_tool_library.registration import Registration, register
from nucleate_tool_library.usage.counting import Counting
from nucleate_tool_library.values import State, Tool, ToolVersion


class ToolLibrary(Asking, Changing, Moving, Counting):
    """Tools in one database. Its tables exist already; every write is one transaction."""

    def register(
        self,
        version: ToolVersion,
        *,
        state: State,
        plan_id: str | None = None,
        approved_by: str,
        replace: bool = False,
        why: str = "",
    ) -> Tool:
        """Store a version under its name and return the tool. Content that is in force already changes nothing.

        Its semantic number is counted from the version that it replaces; where the step is no major one, the tools
        that call that version follow. Raises LibraryError when the name belongs to other content and `replace` is
        false, when its exported name collides with another tool's, when a dependency is missing or not in force,
        when the closure would hold two versions of one name, or when the tool is pinned.
        """
        order = Registration(
            version=version,
            state=state,
            plan_id=plan_id,
            approved_by=approved_by,
            replace=replace,
            at=self._clock(),
            why=why,
        )
        try:
            return self._register(order)
        except IntegrityError:  # another process was first; now its rows can be seen
            return self._register(order)

    def preview(self) -> ToolLibrary:
        """Return the same library with changes that are made, told, and taken back."""
        return _Preview(self._engine, clock=self._clock)

    def rebuild(self) -> int:
        """Derive every stored closure anew; return of how many versions. A cycle in a damaged database is named."""
        with self._editing(by="library", why="rebuild") as edit:
            return closures.rebuild(edit.session)

    def _register(self, order: Registration) -> Tool:
        with self._editing(by=order.approved_by, why=order.why) as edit:
            return reading.tools(edit.session, [register(edit.session, order)])[0]


class _Preview(ToolLibrary):
    def _settle(self, session: Session) -> None:
        session.rollback()
