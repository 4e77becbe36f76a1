"""Entries as they are read from the database, with their links; and the evidence that they gain."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, or_, select, update

from nucleate_text_memory.contents import from_text
from nucleate_text_memory.errors import EntryConflict, UnknownEntry, UnknownScope
from nucleate_text_memory.scopes import values
from nucleate_text_memory.tables import ENTRY, LINK, TASK, utc
from nucleate_text_memory.values import Entry, EntryStatus, Kind, Sensitivity, SourceSpan, Trust

_BATCH = 500


def add_evidence(connection: Connection, id_: str, evidence: SourceSpan) -> bool:
    """Link an entry to one more task that supports it; False if that task is linked already."""
    return add_link(
        connection, {**link(id_, "evidence", evidence.task_id), "start": evidence.start, "stop": evidence.stop}
    )


def add_tool(connection: Connection, id_: str, tool: str) -> None:
    """Link a plan to a tool that implements it: D(p) of Metis §3.3."""
    entry = get(connection, id_)
    if entry.kind is not Kind.PLAN:
        raise EntryConflict(f"entry {id_!r} is a {entry.kind}; only a plan is implemented by a tool")
    add_link(connection, link(id_, "implements", tool))


def inputs_behind(connection: Connection, id_: str) -> int:
    """Return how many distinct inputs an entry's evidence comes from: one that repeats itself counts once."""
    linked = select(LINK.c.target).where(LINK.c.entry_id == id_, LINK.c.relation == "evidence")
    counted = select(func.count(func.distinct(TASK.c.input_key))).where(TASK.c.id.in_(linked))
    return connection.scalar(counted) or 0


def set_confidence(connection: Connection, id_: str, support: int) -> None:
    """Set the confidence that so many distinct inputs give: (n + 1)/(n + 2), the form of MSCE's reliability."""
    connection.execute(update(ENTRY).where(ENTRY.c.id == id_).values(confidence=confidence(support)))


def confidence(support: int) -> float:
    """Return (n + 1)/(n + 2)."""
    return (support + 1) / (support + 2)


def get(connection: Connection, id_: str) -> Entry:
    """Return one entry."""
    found = find(connection, [id_])
    if not found:
        raise UnknownEntry(f"no entry {id_!r}; entries() lists all")
    return found[0]


def find(connection: Connection, ids: Sequence[str]) -> list[Entry]:
    """Return those of the entries that exist, in the order in which they were added."""
    return where(connection, ENTRY.c.id.in_(list(ids)))


def with_keys(connection: Connection, keys: Sequence[str]) -> dict[str, Entry]:
    """Return the newest entry of each key, valid or not."""
    rows = connection.execute(select(ENTRY.c.id, ENTRY.c.key).where(ENTRY.c.key.in_(list(keys)))).all()
    key_of = {row.id: row.key for row in rows}
    return {key_of[entry.id]: entry for entry in find(connection, list(key_of))}


def where(connection: Connection, *conditions: ColumnElement[bool]) -> list[Entry]:
    """Return the entries that meet the conditions, in the order in which they were added."""
    rows = connection.execute(select(ENTRY).where(*conditions).order_by(ENTRY.c.position)).all()
    links = _links(connection, [row.id for row in rows])
    return [_entry(row, links[row.id]) for row in rows]


def in_force(at: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of an entry that guides at this moment: valid, begun, not ended, not expired."""
    moment = utc(at)
    ended, expired = ENTRY.c.valid_to, ENTRY.c.expires_at
    return (
        ENTRY.c.valid,
        ENTRY.c.valid_from <= moment,
        or_(ended.is_(None), ended > moment),
        or_(expired.is_(None), expired > moment),
    )


def scopes(connection: Connection) -> list[str]:
    """Return every scope that a task or an entry has, sorted."""
    return sorted(connection.scalars(select(TASK.c.scope).union(select(ENTRY.c.scope))).all())


def require_scope(connection: Connection, scope: str) -> None:
    """Raise UnknownScope, with those that there are, where nothing is known of a scope."""
    if not knows_scope(connection, scope):
        known = ", ".join(repr(name) for name in scopes(connection) if "?" not in name) or "none yet"
        raise UnknownScope(f"no scope {scope!r}; known scopes: {known}")


def knows_scope(connection: Connection, scope: str) -> bool:
    """Return whether a task or an entry has this scope, or at least every part of it is known from some scope."""
    found = (select(table.c.scope).where(table.c.scope == scope).limit(1) for table in (TASK, ENTRY))
    if any(connection.scalar(query) is not None for query in found):
        return True
    wanted = values(scope)
    return len(wanted) > 1 and wanted <= {part for known in scopes(connection) for part in values(known)}


def add_link(connection: Connection, row: dict[str, Any]) -> bool:
    """Add a link; False if the entry has this one."""
    same = (LINK.c.entry_id == row["entry_id"], LINK.c.relation == row["relation"], LINK.c.target == row["target"])
    if connection.scalar(select(LINK.c.id).where(*same)) is not None:
        return False
    connection.execute(insert(LINK), row)
    return True


def link(id_: str, relation: str, target: str) -> dict[str, Any]:
    """Return a link as a row."""
    return {"entry_id": id_, "relation": relation, "target": target, "start": None, "stop": None}


def _links(connection: Connection, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
    found: dict[str, list[Row[Any]]] = defaultdict(list)
    for start in range(0, len(ids), _BATCH):
        wanted = LINK.c.entry_id.in_(ids[start : start + _BATCH])
        for row in connection.execute(select(LINK).where(wanted).order_by(LINK.c.id)):
            found[row.entry_id].append(row)
    return found


def _entry(row: Row[Any], links: list[Row[Any]]) -> Entry:
    return Entry(
        id=row.id,
        kind=Kind(row.kind),
        scope=row.scope,
        title=row.title,
        body=row.body,
        signature=tuple(json.loads(row.signature)),
        source=row.source,
        confidence=row.confidence,
        valid=row.valid,
        evidence=tuple(
            SourceSpan(task_id=link.target, start=link.start, stop=link.stop)
            for link in links
            if link.relation == "evidence"
        ),
        supersedes=_targets(links, "supersedes"),
        implements=_targets(links, "implements"),
        sources=_targets(links, "source") or (row.source,),
        content=from_text(row.kind, row.content),
        author=row.author,
        trust=Trust(row.trust),
        status=EntryStatus(row.status),
        sensitivity=Sensitivity(row.sensitivity),
        importance=row.importance,
        valid_from=utc(row.valid_from),
        valid_to=_aware(row.valid_to),
        recorded_at=utc(row.recorded_at),
        retired_at=_aware(row.retired_at),
        expires_at=_aware(row.expires_at),
        why=row.invalid_because,
        held_because=row.held_because,
        use_count=row.use_count,
        used_at=_aware(row.used_at),
    )


def _targets(links: list[Row[Any]], relation: str) -> tuple[str, ...]:
    return tuple(link.target for link in links if link.relation == relation)


def _aware(moment: datetime | None) -> datetime | None:
    return None if moment is None else utc(moment)
