"""The library as one reads it: what there is, what it does, who calls whom, and how much it is used."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.life_cycle import Dependent, Release
from nucleate_tool_library.reading import asking, closures, diffs, graphs, lines, names, picking, rows, similar
from nucleate_tool_library.reading.lines import ToolLine
from nucleate_tool_library.reading.statements import StatementRunner
from nucleate_tool_library.usage import health, usage
from nucleate_tool_library.usage.usage import LibraryUse, PathUse, ToolUse
from nucleate_tool_library.values import State, Tool, ToolVersion

_REVISION = "SELECT max(id) AS revision FROM release"


class LibraryReader:
    """Tools that are read, in whatever runs plain SQL; `reading` opens it for one question.

    A name may be one that a tool had before it was renamed or merged.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[StatementRunner]],
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._reading = reading
        self._clock = clock

    def tool(self, name: str, scope: str | None = None) -> Tool:
        """Return the tool with this name; without a scope the name must be unique over all scopes."""
        with self._reading() as run:
            return lines.tools(run, [names.find(run, name, scope)])[0]

    def tools(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[Tool, ...]:
        """Return whole tools by scope and name, all of them or those in one scope and in some states."""
        with self._reading() as run:
            return lines.tools(run, lines.chosen(run, scope, states))

    def listing(self, scope: str | None = None, states: Collection[State] | None = None) -> tuple[ToolLine, ...]:
        """Return the same tools as light lines, without reading their bodies."""
        with self._reading() as run:
            return lines.lines(run, scope, states)

    def names(self, scope: str) -> frozenset[str]:
        """Return every name that is taken in a scope, aliases and archived tools included."""
        with self._reading() as run:
            return names.names_in(run, scope)

    def aliases(self, scope: str) -> dict[str, str]:
        """Return the names that lead to a tool of another name, with that name."""
        with self._reading() as run:
            return {alias: name for (_scope, alias), name in names.aliases_of(run, scope).items()}

    def versions(self, name: str, scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return every version that was ever in force under a tool's names, the oldest first."""
        with self._reading() as run:
            events = picking.in_force(run, names.find(run, name, scope))
            return asking.in_order(run, dict.fromkeys(row.version_id for row in events))

    def pick(self, name: str, version: str, scope: str | None = None) -> ToolVersion:
        """Return the version of a tool that a number, a release or the beginning of an id means."""
        with self._reading() as run:
            key = picking.pick(run, names.find(run, name, scope), version)
            return rows.read_versions(run, [key])[key]

    def version(self, id: str) -> ToolVersion:  # noqa: A002  # it is the value's own name for it
        """Return the version with this id."""
        with self._reading() as run:
            found = rows.read_versions(run, [id])
        if id not in found:
            raise LibraryError(f"no version {id!r}; `nucleate tools list` shows all tools")
        return found[id]

    def revision(self) -> int:
        """Return a number that grows with every change of a tool, by whatever process; caches hang on it."""
        with self._reading() as run:
            return run(_REVISION)[0].revision or 0

    def history(self, name: str, scope: str | None = None) -> tuple[Release, ...]:
        """Return a tool's events, the oldest first."""
        with self._reading() as run:
            return tuple(rows.release(row) for row in lines.events(run, names.find(run, name, scope)))

    def diff(
        self, name: str, before: str | None = None, after: str | None = None, *, scope: str | None = None
    ) -> diffs.Diff:
        """Return how two versions of a tool differ, each named by number, release or the beginning of its id.

        Without names: the version in force and the one before it.
        """
        with self._reading() as run:
            return diffs.diff(run, names.find(run, name, scope), before, after)

    def dependents(self, name: str, scope: str | None = None, *, transitive: bool = False) -> tuple[str, ...]:
        """Return the names of the tools whose version in force calls some version of this one, or leads to one."""
        with self._reading() as run:
            tool = names.find(run, name, scope)
            if transitive:
                return tuple(sorted(row.name for row in asking.callers_of(run, tool)))
            return tuple(sorted(row.name for row in asking.direct_callers(run, tool)))

    def callers(self, name: str, scope: str | None = None) -> tuple[Dependent, ...]:
        """Return the tools that lead to this one, the nearest first."""
        with self._reading() as run:
            found = asking.callers_of(run, names.find(run, name, scope))
            return tuple(asking.dependent(row) for row in found)

    def close(self, wanted: Iterable[str], scope: str | None = None) -> tuple[ToolVersion, ...]:
        """Return the named tools (or version ids) with everything that they call, dependencies first.

        Where two of them were built on different versions of a third, the one that was asked for, else the one in
        force, stands for its name: each tool runs with its own closure, `close([its id])`, which is never mixed.
        """
        with self._reading() as run:
            return asking.closed(run, wanted, scope)

    def calls(self, version_id: str) -> tuple[ToolVersion, ...]:
        """Return a version after all that it calls, whatever their state: for somebody who looks, not who runs."""
        with self._reading() as run:
            return asking.in_order(run, closures.members(run, [version_id]))

    def graph(self, name: str | None = None, scope: str | None = None, *, callers: bool = False) -> graphs.Graph:
        """Return who calls what: all tools, or one and what it leads to, or one and what leads to it."""
        with self._reading() as run:
            if name is None:
                return graphs.whole(run, scope)
            tool = names.find(run, name, scope)
            return graphs.above(run, tool) if callers else graphs.below(run, tool)

    def similar(self, scope: str | None = None, *, at_least: float = similar.NEAR) -> tuple[similar.Pair, ...]:
        """Return pairs of tools whose signatures and docstrings say nearly the same, the nearest first."""
        with self._reading() as run:
            return similar.pairs(run, scope, at_least=at_least)

    def unused(self, scope: str | None = None, *, for_at_least: timedelta = timedelta(days=30)) -> tuple[ToolLine, ...]:
        """Return the tools that nobody called, calls or pinned, and that had time enough to be called."""
        with self._reading() as run:
            return asking.unused(run, scope, born_before=self._clock() - for_at_least)

    def uses(self, name: str, scope: str | None = None) -> int:
        """Return how often a tool was called, over all of its versions and paths."""
        with self._reading() as run:
            tool_id = names.find(run, name, scope).id
            return lines.uses_of(run, [tool_id]).get(tool_id, (0, 0))[0]

    def stats(self, scope: str | None = None) -> LibraryUse:
        """Return uses and reliability per tool, and of the library as a whole (ALGORITHMS §8)."""
        found = self.listing(scope)
        return LibraryUse(
            tools=tuple(ToolUse(name=line.name, scope=line.scope, uses=line.uses, passes=line.passes) for line in found)
        )

    def paths(self) -> tuple[PathUse, ...]:
        """Return what calls came by each path, and how many calls of the environment they stood for."""
        with self._reading() as run:
            return usage.paths(run)

    def ages(self, scope: str | None = None) -> tuple[health.Aged, ...]:
        """Return every tool (of a scope) with its age, by scope and name."""
        with self._reading() as run:
            return health.ages(run, scope=scope, now=self._clock())
