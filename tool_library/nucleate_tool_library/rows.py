"""Between rows and values: JSON columns are text, times are UTC."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from nucleate_tool_library.life_cycle import Release
from nucleate_tool_library.tables import CapabilityRow, DependencyRow, ReleaseRow, ToolVersionRow
from nucleate_tool_library.values import Json, JsonObject, Signature, State, ToolVersion


def text_of(value: Json) -> str:
    """Return a value as text; the order of parameters is part of a signature, so keys stay in order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def export_key(name: str) -> str:
    """Return the name as Agent Skills and command lines would map it: lower case, single hyphens."""
    return re.sub(r"[-_]+", "-", name.lower()).strip("-")


def add_version(session: Session, version: ToolVersion, at: datetime) -> None:
    """Store a version that is not there yet, with its dependencies and capabilities."""
    signature = version.signature
    session.add(
        ToolVersionRow(
            id=version.id,
            name=version.name,
            scope=version.scope,
            source=version.source,
            signature=text_of(
                {
                    "name": signature.name,
                    "text": signature.text,
                    "doc": signature.doc,
                    "parameters": signature.parameters,
                    "returns": signature.returns,
                }
            ),
            tests=text_of(version.tests),
            evidence=text_of(version.evidence),
            template=text_of(version.template),
            verdict=text_of(version.verdict),
            lock=version.lock,
            author=version.author,
            prompt_hash=version.prompt_hash,
            schemas=text_of(version.schemas),
            created_at=at,
        )
    )
    session.flush()
    for position, dependency in enumerate(version.dependencies):
        session.add(DependencyRow(version_id=version.id, depends_on=dependency, position=position))
    for position, function in enumerate(version.capabilities):
        session.add(CapabilityRow(version_id=version.id, function=function, position=position))


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
    query = select(DependencyRow).where(col(DependencyRow.version_id).in_(ids)).order_by(col(DependencyRow.position))
    rows = session.exec(query).all()
    return {key: tuple(row.depends_on for row in rows if row.version_id == key) for key in ids}


def _capabilities_of(session: Session, ids: list[str]) -> dict[str, tuple[str, ...]]:
    query = select(CapabilityRow).where(col(CapabilityRow.version_id).in_(ids)).order_by(col(CapabilityRow.position))
    rows = session.exec(query).all()
    return {key: tuple(row.function for row in rows if row.version_id == key) for key in ids}


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
        version_id=row.version_id,
        was=State(row.from_state) if row.from_state else None,
        now=State(row.to_state),
        by=row.by,
        why=row.why,
        at=row.at.replace(tzinfo=UTC) if row.at.tzinfo is None else row.at.astimezone(UTC),
    )
