"""How two versions of a tool differ: source, signature, closure, capabilities, tests, and by how big a step."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import Any

from nucleate_tool_library.reading import closures, picking, reach, rows
from nucleate_tool_library.reading.statements import StatementRunner
from nucleate_tool_library.values import Json, ToolVersion


@dataclass(frozen=True, kw_only=True)
class Part:
    """What came, went and changed in a set of names; `changed` are those that stand for other content now."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Diff:
    """Two versions side by side. Texts are unified diffs, empty where nothing differs; `step` is major to patch."""

    before: str
    after: str
    step: str
    source: str
    signature: str
    tests: str
    closure: Part
    capabilities: Part
    lock: str


def diff(run: StatementRunner, tool: Any, before: str | None, after: str | None) -> Diff:
    """Return how two versions of a tool differ; by default the one in force from the one before it."""
    new: str = tool.version_id if after is None else picking.pick(run, tool, after)
    old = _previous(run, tool, new) if before is None else picking.pick(run, tool, before)
    found = rows.read_versions(run, list({old, new}))
    first, second = found[old], found[new]
    return Diff(
        before=old,
        after=new,
        step="none" if old == new else reach.step_between(run, old, new).name.lower(),
        source=_unified(first.source, second.source, f"{first.name}.py"),
        signature=_unified(_signature_text(first), _signature_text(second), "signature"),
        tests=_tests(first, second),
        closure=_closure(run, old, new),
        capabilities=_names(first.capabilities, second.capabilities),
        lock=_unified(first.lock, second.lock, "packages"),
    )


def _previous(run: StatementRunner, tool: Any, new: str) -> str:
    """Return the version in force before the latest time that this one came into force; itself if it was the first."""
    ids = [row.version_id for row in picking.in_force(run, tool)]
    place = max((place for place, key in enumerate(ids) if key == new), default=0)
    return next((key for key in reversed(ids[:place]) if key != new), new)


def _signature_text(version: ToolVersion) -> str:
    signature = version.signature
    schemas = (("parameters", signature.parameters), ("returns", signature.returns))
    return "\n".join([signature.text, *(f"{name} {_pretty(schema)}" for name, schema in schemas)]) + "\n"


def _tests(before: ToolVersion, after: ToolVersion) -> str:
    """Return the diff of every test file, and of whatever else judged the versions."""
    old, new = _files(before), _files(after)
    return "".join(_unified(old.get(name, ""), new.get(name, ""), name) for name in sorted({*old, *new}))


def _files(version: ToolVersion) -> dict[str, str]:
    files = version.tests.get("files")
    named = {name: str(text) for name, text in files.items()} if isinstance(files, dict) else {}
    others = {key: value for key, value in version.tests.items() if key != "files"}
    judged = {key: version.evidence.get(key) for key in ("seen", "held_out") if version.evidence.get(key)}
    return named | {f"{key}.json": _pretty(value) + "\n" for key, value in (others | judged).items()}


def _closure(run: StatementRunner, before: str, after: str) -> Part:
    old, new = _reached(run, before), _reached(run, after)
    part = _names(sorted(old), sorted(new))
    changed = tuple(sorted(name for name in old.keys() & new.keys() if old[name] != new[name]))
    return Part(added=part.added, removed=part.removed, changed=changed)


def _reached(run: StatementRunner, version_id: str) -> dict[str, str]:
    """Return name → version of everything that a version calls."""
    return {member.name: member.id for member in closures.reached(run, [version_id]) if member.depth}


def _names(before: tuple[str, ...] | list[str], after: tuple[str, ...] | list[str]) -> Part:
    return Part(added=tuple(sorted({*after} - {*before})), removed=tuple(sorted({*before} - {*after})))


def _pretty(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _unified(before: str, after: str, name: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"before/{name}", f"after/{name}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
