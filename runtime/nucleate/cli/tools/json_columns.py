"""The stable columns of `nucleate tools … --json`: docs/tool_library.md lists them, and a test holds both together."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import Change, Dependent, Diff, Pair, Part, Release, Tool, ToolLine, ToolVersion


def line(item: ToolLine) -> JsonObject:
    """Return a tool of a list."""
    return {
        "name": item.name,
        "scope": item.scope,
        "state": item.state.value,
        "release": item.release,
        "number": item.number,
        "pinned": item.pinned,
        "uses": item.uses,
        "passes": item.passes,
        "summary": item.summary,
        "version": item.version_id,
        "created_at": item.created_at.isoformat(),
        "aliases": list(item.aliases),
    }


def tool(item: Tool, closure: Sequence[ToolVersion], callers: Sequence[Dependent]) -> JsonObject:
    """Return everything that is known of a tool."""
    version = item.version
    return {
        "name": item.name,
        "scope": item.scope,
        "state": item.state.value,
        "release": item.release,
        "number": item.number,
        "pinned": item.pinned,
        "uses": item.uses,
        "plan": item.plan_id,
        "version": version.id,
        "signature": version.signature.text,
        "doc": version.signature.doc,
        "parameters": version.signature.parameters,
        "returns": version.signature.returns,
        "capabilities": list(version.capabilities),
        "closure": [{"name": other.name, "version": other.id} for other in closure],
        "dependents": [dependent(other) for other in callers],
        "packages": version.lock,
        "author": version.author,
        "prompt_hash": version.prompt_hash,
        "schemas": version.schemas,
        "source": version.source,
        "tests": version.tests,
        "evidence": version.evidence,
        "verdict": version.verdict,
    }


def event(item: Release) -> JsonObject:
    """Return one event of a history."""
    return {
        "at": item.at.isoformat(),
        "action": item.action,
        "release": item.release,
        "number": item.number,
        "was": item.was.value if item.was else None,
        "now": item.now.value,
        "by": item.by,
        "why": item.why,
        "version": item.version_id,
    }


def dependent(item: Dependent) -> JsonObject:
    """Return a tool that calls another."""
    return {
        "name": item.name,
        "scope": item.scope,
        "state": item.state.value,
        "release": item.release,
        "depth": item.depth,
        "pinned": item.pinned,
        "follows": item.follows,
        "why": item.why,
    }


def change(item: Change, *, made: bool) -> JsonObject:
    """Return what a change did, or would do."""
    aliases: dict[str, Json] = dict(item.aliases)
    return {
        "action": item.action,
        "made": made,
        "name": item.tool.name,
        "scope": item.tool.scope,
        "state": item.tool.state.value,
        "release": item.tool.release,
        "version": item.tool.version.id,
        "dependents": [dependent(other) for other in item.dependents],
        "effects": [event(effect.event) | {"name": effect.tool, "scope": effect.scope} for effect in item.effects],
        "aliases": aliases,
    }


def diff(item: Diff) -> JsonObject:
    """Return how two versions differ."""
    return {
        "before": item.before,
        "after": item.after,
        "step": item.step,
        "source": item.source,
        "signature": item.signature,
        "tests": item.tests,
        "packages": item.lock,
        "closure": _part(item.closure),
        "capabilities": _part(item.capabilities),
    }


def pair(item: Pair) -> JsonObject:
    """Return two tools that say nearly the same."""
    return {"first": item.first, "second": item.second, "scope": item.scope, "similarity": item.similarity}


def _part(part: Part) -> JsonObject:
    return {"added": list(part.added), "removed": list(part.removed), "changed": list(part.changed)}
