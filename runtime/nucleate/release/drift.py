"""Sees when an environment's functions are others than those that tools were judged against, and marks the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nucleate.release.marking import IN_USE, mark
from nucleate.release.parts import DRIFT, ReleaseParts
from nucleate.release.schemas import changed, schema_hashes, told
from nucleate_sandbox import Environment, FunctionSpec, RecordedEnvironment
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class Drifted:
    """What an environment's functions mean for the tools of its scope: (tool, why), and the canaries hit."""

    scope: str
    hit: tuple[tuple[str, str], ...] = ()
    canaries: Mapping[str, str] = field(default_factory=dict)


class DriftWatch:
    """Compares an environment that is attached with what its tools' versions were judged against."""

    def __init__(self, parts: ReleaseParts) -> None:
        self._parts = parts
        self._seen: dict[str, Mapping[str, FunctionSpec]] = {}

    def first(self, scope: str) -> bool:
        """Return whether no environment of this name was followed yet in this process."""
        return scope not in self._seen

    def look(self, environment: Environment) -> Drifted:
        """Return what changed; ask before the environment's functions are stored, so that it can be told how."""
        scope, functions = environment.name, environment.functions
        if isinstance(environment, RecordedEnvironment) or self._seen.get(scope) == functions:
            return Drifted(scope=scope)
        before = self._parts.scopes.view(scope).functions if self._parts.scopes.knows(scope) else {}
        hashes: dict[str, str] = {}
        tools = self._parts.library.tools(scope=scope, states=IN_USE)
        hit = {tool.name: _why(tool.version, before, functions, hashes) for tool in tools}
        tried = [self._parts.library.version(canary.version_id) for canary in self._parts.canaries.all(scope)]
        canaries = {version.name: _why(version, before, functions, hashes) for version in tried}
        return Drifted(
            scope=scope,
            hit=tuple((name, why) for name, why in hit.items() if why),
            canaries={name: why for name, why in canaries.items() if why},
        )

    def follow(self, drifted: Drifted, functions: Mapping[str, FunctionSpec]) -> tuple[str, ...]:
        """Mark the tools and withdraw the canaries; ask after the functions are stored. Returns the marked names."""
        scope = drifted.scope
        for name, why in drifted.canaries.items():
            canary = self._parts.canaries.of(name, scope)
            standing = self._parts.canaries.standing(name, scope)
            if canary is not None and standing is not None and not standing.pinned:
                self._parts.canaries.withdraw(name, scope, version_id=canary.version_id, by=DRIFT, why=why)
        marked = mark(self._parts, drifted.hit, scope=scope, by=DRIFT) if drifted.hit else ()
        self._seen[scope] = dict(functions)
        return marked


def drifted_functions(version: ToolVersion, functions: Mapping[str, FunctionSpec]) -> list[str]:
    """Return the functions that a version was judged against and that are others now, or gone."""
    return changed(version.schemas, functions)


def _why(
    version: ToolVersion,
    before: Mapping[str, FunctionSpec],
    functions: Mapping[str, FunctionSpec],
    hashes: dict[str, str],
) -> str:
    """Say what changed for a version. One of an older database has no hashes: what was known last stands for them."""
    stored = version.schemas or schema_hashes(before, version.capabilities)
    names = changed(stored, functions, hashes=hashes)
    return "; ".join(told(name, before.get(name), functions.get(name)) for name in names)
