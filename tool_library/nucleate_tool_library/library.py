"""The tool library: register, ask, change, count; every change can be looked at before it is made."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from nucleate_tool_library import changing, moving
from nucleate_tool_library.life_cycle import Change
from nucleate_tool_library.reading import lines
from nucleate_tool_library.registration import Registration, register
from nucleate_tool_library.store import Store
from nucleate_tool_library.storing import rebuild_closures
from nucleate_tool_library.usage import counting
from nucleate_tool_library.values import State, Tool, ToolVersion


class ToolLibrary(Store):
    """Tools in one database. Its tables exist already; every write is one transaction.

    A name may be one that a tool had before it was renamed or merged. Every change names who made it and why, and
    returns what it did to whom.
    """

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
            return rebuild_closures(edit.session)

    def _register(self, order: Registration) -> Tool:
        with self._editing(by=order.approved_by, why=order.why) as edit:
            return lines.tools(edit.run, [register(edit.session, order)])[0]

    def transition(self, name: str, scope: str | None = None, *, to: State, by: str, why: str) -> Tool:
        """Move a tool to another state and record who or what said so. Archiving needs that nobody calls it."""
        with self._editing(by=by, why=why) as edit:
            return changing.transition(edit, name, scope, to=to)

    def rollback(self, name: str, scope: str | None = None, *, to: str, by: str, why: str) -> Change:
        """Put an earlier version in force again, under new numbers: a forward step.

        `to` is its number, its release or the beginning of its id. Without an admitted verdict it is a candidate.
        """
        with self._editing(by=by, why=why) as edit:
            return changing.rollback(edit, name, scope, to=to)

    def pin(self, name: str, scope: str | None = None, *, by: str, why: str) -> Change:
        """Keep a tool as it is: nothing replaces, relinks, renames, merges or archives it until it is unpinned."""
        with self._editing(by=by, why=why) as edit:
            return changing.pinned(edit, name, scope, pinned=True)

    def unpin(self, name: str, scope: str | None = None, *, by: str, why: str) -> Change:
        """Let a pinned tool change again."""
        with self._editing(by=by, why=why) as edit:
            return changing.pinned(edit, name, scope, pinned=False)

    def alias(self, alias: str, scope: str | None = None, *, to: str, by: str, why: str) -> Change:
        """Let one more name lead to a tool."""
        with self._editing(by=by, why=why) as edit:
            return changing.alias(edit, alias, scope, to=to)

    def unalias(self, alias: str, scope: str | None = None, *, by: str, why: str) -> Change:
        """Take an alias away, so that the name is free again."""
        with self._editing(by=by, why=why) as edit:
            return changing.unalias(edit, alias, scope)

    def archive(self, name: str, scope: str | None = None, *, by: str, why: str) -> Change:
        """Take a tool that nobody calls out of the library's lists; it can be revived."""
        with self._editing(by=by, why=why) as edit:
            return changing.archive(edit, name, scope)

    def revive(self, name: str, scope: str | None = None, *, by: str, why: str) -> Change:
        """Bring an archived tool back as a candidate, under its own name and with everything that was known of it."""
        with self._editing(by=by, why=why) as edit:
            return changing.revive(edit, name, scope)

    def rename(self, name: str, scope: str | None = None, *, to: str, by: str, why: str) -> Change:
        """Give a tool another name, in its source and in those of the tools that call it; the old name leads on."""
        with self._editing(by=by, why=why) as edit:
            return moving.rename(edit, name, scope, to=to)

    def merge(self, name: str, scope: str | None = None, *, into: str, by: str, why: str) -> Change:
        """Let one tool stand for two: the name of the other leads to it, and who called the other calls it.

        Who cannot, since the signatures differ or it is pinned, keeps the other tool, which is deprecated then;
        else it is archived.
        """
        with self._editing(by=by, why=why) as edit:
            return moving.merge(edit, name, scope, into=into)

    def split(
        self,
        name: str,
        scope: str | None = None,
        *,
        into: Sequence[ToolVersion],
        lead_to: str | None = None,
        by: str,
        why: str,
    ) -> Change:
        """Put several tools in the place of one; each is registered, as active if its verdict is `admitted`.

        The old name leads to the part `lead_to`, or stays with the old tool. That is deprecated: it serves who calls
        it, and no one new; where nobody calls it and its name leads on, it is archived.
        """
        with self._editing(by=by, why=why) as edit:
            return moving.split(edit, name, scope, into=into, lead_to=lead_to)

    def record_invocation(
        self, version_id: str, *, ok: bool, milliseconds: float, calls: int, path: str, error: str | None = None
    ) -> bool:
        """Count one use on the path that it came by (`agent`, `cli`, `mcp`, `tool`, `demo`, …).

        Measuring is best effort: it never breaks the call that it measures (ALGORITHMS §8). The answer says whether it
        was stored.
        """
        return counting.record(
            self._engine,
            version_id,
            ok=ok,
            milliseconds=milliseconds,
            calls=calls,
            path=path,
            error=error,
            at=self._clock(),
        )


class _Preview(ToolLibrary):
    def _settle(self, session: Session) -> None:
        session.rollback()
