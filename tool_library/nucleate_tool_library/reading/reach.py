"""What a version's calls can lead to, and how far two versions of a tool are apart by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nucleate_tool_library.reading import rows
from nucleate_tool_library.reading.statements import StatementRunner, parts
from nucleate_tool_library.version_numbers import VersionStep, step

_TOOLS = """SELECT usage.version_id AS owned, tool.* FROM usage JOIN tool ON tool.id = usage.tool_id
    WHERE usage.version_id IN :ids"""
_VERSIONS = "SELECT version_id FROM usage WHERE tool_id = :tool"
_OTHERS = """SELECT usage.tool_id FROM usage JOIN closure ON closure.member_id = usage.version_id
    WHERE closure.version_id = :version AND closure.depth > 0"""
_FUNCTIONS = """SELECT capability.function FROM capability JOIN closure ON closure.member_id = capability.version_id
    WHERE closure.version_id = :version"""


def tools_of(run: StatementRunner, version_ids: Sequence[str]) -> dict[str, Any]:
    """Return the row of the tool that each version belongs to, under whatever name."""
    return {row[0]: row for part in parts(version_ids) for row in run(_TOOLS, ids=part)}


def versions_of(run: StatementRunner, tool: Any) -> list[str]:
    """Return the ids of all versions that belong to a tool."""
    return [row.version_id for row in run(_VERSIONS, tool=tool.id)]


def step_between(run: StatementRunner, before: str, after: str) -> VersionStep:
    """Return how far the second version is from the first; both are stored."""
    found = rows.read_versions(run, [before, after])
    same = _reached(run, before) == _reached(run, after)
    return step(found[before].signature, found[after].signature, same_reach=same)


def _reached(run: StatementRunner, version_id: str) -> tuple[frozenset[int], frozenset[str]]:
    """Return the other tools of a closure, and the environment functions of all."""
    return (
        frozenset(row.tool_id for row in run(_OTHERS, version=version_id)),
        frozenset(row.function for row in run(_FUNCTIONS, version=version_id)),
    )
