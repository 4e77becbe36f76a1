"""Stores versions with their dependencies, closure and capabilities: what the reading half finds again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from graphlib import CycleError, TopologicalSorter

from sqlalchemy import delete, func, insert
from sqlmodel import Session, col, select

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.reading import closures
from nucleate_tool_library.reading.statements import parts
from nucleate_tool_library.store import run_on
from nucleate_tool_library.tables import CapabilityRow, ClosureRow, DependencyRow, ToolRow, ToolVersionRow, UsageRow
from nucleate_tool_library.values import Json, ToolVersion


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
    _add_closure(session, version.id, version.dependencies)
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


def rebuild_closures(session: Session) -> int:
    """Derive every stored closure anew from the direct calls; return how many versions there are."""
    calls: dict[str, list[str]] = {key: [] for key in session.exec(select(ToolVersionRow.id)).all()}
    for version_id, depends_on in session.exec(select(DependencyRow.version_id, DependencyRow.depends_on)).all():
        calls[version_id].append(depends_on)
    try:
        order = list(TopologicalSorter(calls).static_order())
    except CycleError as error:
        names = closures.names_of(run_on(session), error.args[1])
        path = " → ".join(repr(names[key]) for key in error.args[1])
        raise LibraryError(f"tools call each other in a cycle: {path}; break it in one of them") from error
    session.execute(delete(ClosureRow))
    for key in order:
        _add_closure(session, key, calls[key])
    return len(order)


def _add_closure(session: Session, version_id: str, dependencies: Sequence[str]) -> None:
    """Store a new version's closure from those of the versions that it calls."""
    depths: dict[str, int] = {}
    for part in parts(dependencies):
        for member, depth in _depths(session, part):
            depths[member] = max(depth + 1, depths.get(member, 0))
    members = [{"version_id": version_id, "member_id": key, "depth": depth} for key, depth in depths.items()]
    session.execute(insert(ClosureRow), [*members, {"version_id": version_id, "member_id": version_id, "depth": 0}])


def _depths(session: Session, ids: Sequence[str]) -> Sequence[tuple[str, int]]:
    query = select(ClosureRow.member_id, func.max(ClosureRow.depth)).where(col(ClosureRow.version_id).in_(ids))
    return session.exec(query.group_by(col(ClosureRow.member_id))).all()


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
        summary=_summary_of(version.signature.doc),
        created_at=at,
    )


def _summary_of(doc: str) -> str:
    """Return the first line of a docstring."""
    return next((line.strip() for line in doc.splitlines() if line.strip()), "")
