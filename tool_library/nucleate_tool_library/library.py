"""The tool library: register, ask, change, count; every change can be looked at before it is made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, func, select

from nucleate_tool_library import (
    asking,
    changes,
    changing,
    closures,
    diffs,
    graphs,
    moving,
    names,
    picking,
    reading,
    rows,
    similar,
)
from nucleate_tool_library.changes import Change, Dependent
from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import Release
from nucleate_tool_library.reading import ToolLine
from nucleate_tool_library.registration import Registration, register
from nucleate_tool_library.store import Store
from nucleate_tool_library.tables import ReleaseRow, ToolRow
from nucleate_tool_library.usage import counting
from nucleate_tool_library.usage.usage import LibraryUse, PathUse, ToolUse
from nucleate_tool_library.values import State, Tool, ToolVersion

_REVISION = select(func.max(ReleaseRow.id))


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
            return closures.rebuild(edit.session)

    def _register(self, order: Registration) -> Tool:
        with self._editing(by=order.approved_by, why=order.why) as edit:
            return reading.tools(edit.session, [register(edit.session, order)])[0]

    def tool(self, name: str, scope: str | None = None) -> Tool:
        """Return the tool with this name; without a scope the name must be unique over all scopes."""
        with self._reading() as session:
            return reading.tools(session, [names.find(session, name, scope)])[0]

    def tools(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[Tool, ...]:
        """Return whole tools by scope and name, all of them or those in one scope and in some states."""
        with self._reading() as session:
            return reading.tools(session, reading.chosen(session, scope, states))

    def listing(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[ToolLine, ...]:
        """Return the same tools as light lines, without reading their bodies."""
        with self._reading() as session:
            return reading.lines(session, scope, states)

    def names(self, scope: str) -> frozenset[str]:
        """Return every name that is taken in a scope, aliases and archived tools included."""
        with self._reading() as session:
            tools = session.exec(select(ToolRow.name).where(ToolRow.scope == scope)).all()
            return frozenset({*tools, *(alias for _scope, alias in names.aliases_of(session, scope))})

    def aliases(self, scope: str) -> dict[str, str]:
        """Return the names that lead to a tool of another name, with that name."""
        with self._reading() as session:
            return {alias: name for (_scope, alias), name in names.aliases_of(session, scope).items()}

    def versions(self, name: str, scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return every version that was ever in force under a tool's names, the oldest first."""
        with self._reading() as session:
            events = picking.in_force(session, names.find(session, name, scope))
            return asking.in_order(session, dict.fromkeys(row.version_id for row in events))

    def pick(self, name: str, version: str, scope: str | None = None) -> ToolVersion:
        """Return the version of a tool that a number, a release or the beginning of an id means."""
        with self._reading() as session:
            key = picking.pick(session, names.find(session, name, scope), version)
            return rows.read_versions(session, [key])[key]

    def version(self, id: str) -> ToolVersion:  # noqa: A002  # it is the value's own name for it
        """Return the version with this id."""
        with self._reading() as session:
            found = rows.read_versions(session, [id])
        if id not in found:
            raise LibraryError(f"no version {id!r}; `nucleate tools list` shows all tools")
        return found[id]

    def revision(self) -> int:
        """Return a number that grows with every change of a tool, by whatever process; caches hang on it."""
        with self._engine.connect() as connection:
            return connection.execute(_REVISION).scalar() or 0

    def history(self, name: str, scope: str | None = None) -> tuple[Release, ...]:
        """Return a tool's events, the oldest first."""
        with self._reading() as session:
            return tuple(rows.release(row) for row in reading.events(session, names.find(session, name, scope)))

    def diff(
        self, name: str, before: str | None = None, after: str | None = None, *, scope: str | None = None
    ) -> diffs.Diff:
        """Return how two versions of a tool differ, each named by number, release or the beginning of its id.

        Without names: the version in force and the one before it.
        """
        with self._reading() as session:
            return diffs.diff(session, names.find(session, name, scope), before, after)

    def dependents(self, name: str, scope: str | None = None, *, transitive: bool = False) -> tuple[str, ...]:
        """Return the names of the tools whose version in force calls some version of this one, or leads to one."""
        with self._reading() as session:
            tool = names.find(session, name, scope)
            if transitive:
                return tuple(sorted(row.name for row, _depth in changes.callers_of(session, tool)))
            return tuple(sorted(row.name for row in asking.direct_callers(session, tool)))

    def callers(self, name: str, scope: str | None = None) -> tuple[Dependent, ...]:
        """Return the tools that lead to this one, the nearest first."""
        with self._reading() as session:
            found = changes.callers_of(session, names.find(session, name, scope))
            return tuple(changes.dependent(row, depth) for row, depth in found)

    def close(self, wanted: Iterable[str], scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return the named tools (or version ids) with everything that they call, dependencies first.

        Where two of them were built on different versions of a third, the one that was asked for, else the one in
        force, stands for its name: each tool runs with its own closure, `close([its id])`, which is never mixed.
        """
        with self._reading() as session:
            return asking.closed(session, wanted, scope)

    def calls(self, version_id: str) -> tuple[ToolVersion, ...]:
        """Return a version after all that it calls, whatever their state: for somebody who looks, not who runs."""
        with self._reading() as session:
            return asking.in_order(session, closures.members(session, [version_id]))

    def graph(self, name: str | None = None, scope: str | None = None, *, callers: bool = False) -> graphs.Graph:
        """Return who calls what: all tools, or one and what it leads to, or one and what leads to it."""
        with self._reading() as session:
            if name is None:
                return graphs.whole(session, scope)
            tool = names.find(session, name, scope)
            return graphs.above(session, tool) if callers else graphs.below(session, tool)

    def similar(self, scope: str | None = None, *, at_least: float = similar.NEAR) -> tuple[similar.Pair, ...]:
        """Return pairs of tools whose signatures and docstrings say nearly the same, the nearest first."""
        with self._reading() as session:
            return similar.pairs(session, scope, at_least=at_least)

    def unused(self, scope: str | None = None, *, for_at_least: timedelta = timedelta(days=30)) -> tuple[ToolLine, ...]:
        """Return the tools that nobody called, calls or pinned, and that had time enough to be called."""
        with self._reading() as session:
            return asking.unused(session, scope, born_before=self._clock() - for_at_least)

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

    def uses(self, name: str, scope: str | None = None) -> int:
        """Return how often a tool was called, over all of its versions and paths."""
        with self._reading() as session:
            tool_id = names.find(session, name, scope).id or 0
            return reading.uses_of(session, [tool_id]).get(tool_id, (0, 0))[0]

    def stats(self, scope: str | None = None) -> LibraryUse:
        """Return uses and reliability per tool, and of the library as a whole (ALGORITHMS §8)."""
        found = self.listing(scope)
        return LibraryUse(
            tools=tuple(ToolUse(name=line.name, scope=line.scope, uses=line.uses, passes=line.passes) for line in found)
        )

    def paths(self) -> tuple[PathUse, ...]:
        """Return what calls came by each path, and how many calls of the environment they stood for."""
        with self._reading() as session:
            return counting.paths(session)


class _Preview(ToolLibrary):
    def _settle(self, session: Session) -> None:
        session.rollback()
