"""Versions and events as they are stored: JSON columns are text, times are UTC."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from nucleate_tool_library.life_cycle import Release
from nucleate_tool_library.reading.statements import StatementRunner, moment, parts
from nucleate_tool_library.values import JsonObject, Signature, State, ToolVersion

_VERSIONS = """SELECT id, name, scope, source, signature, tests, evidence, template, verdict, lock, author, prompt_hash,
    schemas FROM tool_version WHERE id IN :ids"""
_DEPENDENCIES = "SELECT version_id, depends_on FROM dependency WHERE version_id IN :ids ORDER BY position"
_CAPABILITIES = "SELECT version_id, function FROM capability WHERE version_id IN :ids ORDER BY position"


def read_versions(run: StatementRunner, ids: Sequence[str]) -> dict[str, ToolVersion]:
    """Return the versions with these ids; ids that do not exist are left out."""
    found: dict[str, ToolVersion] = {}
    for part in parts(ids):
        rows = run(_VERSIONS, ids=part)
        here = [row.id for row in rows]
        dependencies = _grouped(here, run(_DEPENDENCIES, ids=here))
        capabilities = _grouped(here, run(_CAPABILITIES, ids=here))
        found |= {row.id: _version(row, dependencies[row.id], capabilities[row.id]) for row in rows}
    return found


def release(row: Any) -> Release:
    """Return an event as a value."""
    return Release(
        number=row.number,
        release=row.release,
        action=row.action,
        version_id=row.version_id,
        was=State(row.from_state) if row.from_state else None,
        now=State(row.to_state),
        by=row.by,
        why=row.why,
        at=moment(row.at),
    )


def _grouped(ids: Sequence[str], pairs: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {key: [] for key in ids}
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


def _version(row: Any, dependencies: tuple[str, ...], capabilities: tuple[str, ...]) -> ToolVersion:
    return ToolVersion(
        name=row.name,
        scope=row.scope,
        source=row.source,
        signature=Signature(**json.loads(row.signature)),
        capabilities=capabilities,
        dependencies=dependencies,
        tests=_object(row.tests),
        evidence=_object(row.evidence),
        template=_object(row.template),
        verdict=_object(row.verdict),
        lock=row.lock,
        author=row.author,
        prompt_hash=row.prompt_hash,
        schemas=_object(row.schemas),
    )


def _object(text: str) -> JsonObject:
    value: JsonObject = json.loads(text)
    return value
