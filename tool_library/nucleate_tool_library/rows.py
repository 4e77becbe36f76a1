"""Between rows and values: JSON columns are text, times are UTC."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from nucleate_tool_library import closures
from nucleate_tool_library.life_cycle import Release
from nucleate_tool_library.tables import CapabilityRow, DependencyRow, ReleaseRow, ToolRow, ToolVersionRow, UsageRow
from nucleate_tool_library.values import Json, JsonObject, Signature, State, ToolVersion


def text_of(value: Json) -> str:
    """Return a value as text; the order of parameters is part of a signature, so keys stay in order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def export_key(name: str) -> str:
    """Return the name as Agent Skills and command lines would map it: lower case, single hyphens."""
    return re.sub(r"[-_]+", "-", name.lower()).strip("-")


def add_version(session: Session, version: ToolVersion, at: datetime) -> None:
    """Store a version with its dependencies, closure and capabilities, unless it is there already."""
    if session.get(ToolVersionRow, version.id) is not None:
        return
    session.add(_row(version, at))
    session.flush()
    for position, dependency in enumerate(version.dependencies):
        session.add(DependencyRow(version_id=version.id, depends_on=dependency, position=position))
    for position, function in enumerate(version.capabilities):
        session.add(CapabilityRow(version_id=version.id, function=function, position=position))
    closures.add(session, version.id, version.dependencies)
    tool = select(ToolRow.id).where(ToolRow.name == version.name, ToolRow.scope == version.scope)
    for tool_id in session.exec(tool).all():
        own(session, version.id, tool_id)


def own(session: Session, version_id: str, tool_id: int | None) -> None:
    """Note which tool a version belongs to: the last one that was registered with this content."""
    if tool_id is None:
        return
    usage = session.get(UsageRow, version_id) or UsageRow(version_id=version_id, tool_id=tool_id)
    usage.tool_id = tool_id
    session.add(usage)
    session.flush()


def _row(version: ToolVersion, at: datetime) -> ToolVersionRow:
    return ToolVersionRow(
        id=version.id,
        name=version.name,
        scope=version.scope,
        source=version.source,
        signature=text_of(asdict(version.signature)),
        tests=text_of(version.tests),
        evidence=text_of(version.evidence),
        template=text_of(version.template),
        verdict=text_of(version.verdict),
        lock=version.lock,
        author=version.author,
        prompt_hash=version.prompt_hash,
        schemas=text_of(version.schemas),
        summary=summary_of(version.signature.doc),
        created_at=at,
    )


def summary_of(doc: str) -> str:
    """Return the first line of a docstring."""
    return next((line.strip() for line in doc.splitlines() if line.strip()), "")


def read_versions(session: Session, ids: list[str]) -> dict[str, ToolVersion]:
    """Return the versions with these ids; ids that do not exist are left out."""
    found: dict[str, ToolVersion] = {}
    for start in range(0, len(ids), 500):
        rows = session.exec(select(ToolVersionRow).where(col(ToolVersionRow.id).in_(ids[start : start + 500]))).all()
        dependencies = dependencies_of(session, [row.id for row in rows])
        capabilities = _capabilities_of(session, [row.id for row in rows])
        found |= {row.id: _version(row, dependencies[row.id], capabilities[row.id]) for row in rows}
    return found


def dependencies_of(session: Session, ids: list[str]) -> dict[str, tuple[str, ...]]:
    """Return what each version depends on, in the order in which it was registered."""
    query = select(DependencyRow.version_id, DependencyRow.depends_on).where(col(DependencyRow.version_id).in_(ids))
    return _grouped(ids, session.exec(query.order_by(col(DependencyRow.position))).all())


def _capabilities_of(session: Session, ids: list[str]) -> dict[str, tuple[str, ...]]:
    query = select(CapabilityRow.version_id, CapabilityRow.function).where(col(CapabilityRow.version_id).in_(ids))
    return _grouped(ids, session.exec(query.order_by(col(CapabilityRow.position))).all())


def _grouped(ids: list[str], pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {key: [] for key in ids}
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


def _version(row: ToolVersionRow, dependencies: tuple[str, ...], capabilities: tuple[str, ...]) -> ToolVersion:
    signature = json.loads(row.signature)
    return ToolVersion(
        name=row.name,
        scope=row.scope,
        source=row.source,
        signature=Signature(**signature),
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


def release(row: ReleaseRow) -> Release:
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
        at=utc(row.at),
    )


def utc(moment: datetime) -> datetime:
    """Return a stored moment with its zone, which SQLite does not keep."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
