"""How much a library is used and how far its tools can be relied on (ALGORITHMS §6 and §8)."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate_tool_library.reading.statements import StatementRunner
from nucleate_tool_library.usage.scores import reliability

_PATHS = """SELECT path, count(*) AS uses, sum(CASE WHEN ok THEN 1 ELSE 0 END) AS passes,
        sum(CASE WHEN ok AND error IS NULL AND calls > 1 THEN calls - 1 ELSE 0 END) AS saved
    FROM invocation GROUP BY path ORDER BY path"""


@dataclass(frozen=True, kw_only=True)
class ToolUse:
    """One tool's record over all of its versions."""

    name: str
    scope: str
    uses: int
    passes: int

    @property
    def reliability(self) -> float:
        """Return η of its uses (MSCE §4)."""
        return reliability(self.passes, self.uses)


@dataclass(frozen=True, kw_only=True)
class LibraryUse:
    """The whole library's record; a mean below 0.1 uses per tool says that it is not doing what it claims."""

    tools: tuple[ToolUse, ...]

    @property
    def uses_per_tool(self) -> float:
        """Return the mean number of uses; 0 for an empty library."""
        return sum(tool.uses for tool in self.tools) / len(self.tools) if self.tools else 0.0

    @property
    def share_used(self) -> float:
        """Return the share of tools that were ever used; 0 for an empty library."""
        return sum(tool.uses > 0 for tool in self.tools) / len(self.tools) if self.tools else 0.0


@dataclass(frozen=True, kw_only=True)
class PathUse:
    """What came by one path (`agent`, `mcp`, `cli`, …); a use saves all but one of the calls that the tool makes."""

    path: str
    uses: int
    passes: int
    calls_saved: int


def paths(run: StatementRunner) -> tuple[PathUse, ...]:
    """Return what calls came by each path, and how many calls of the environment they stood for."""
    return tuple(
        PathUse(path=row.path, uses=row.uses, passes=int(row.passes), calls_saved=int(row.saved)) for row in run(_PATHS)
    )
