"""Entries in the database: added, linked, invalidated and read; never edited in place, never deleted."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from nucleate_text_memory.errors import EntryConflict, UnknownEntry
from nucleate_text_memory.identity import canonical, entry_id, pool_key
from nucleate_text_memory.tables import ENTRY, LINK, TASK, now
from nucleate_text_memory.values import Draft, Entry, Evidence, Kind

_BATCH = 500


def insert_entry(connection: Connection, draft: Draft, *, supersedes: tuple[str, ...] = ()) -> Entry:
    """Add an entry; the same words again give the entry that is there."""
    new_id = entry_id(draft, supersedes)
    known = find(connection, [new_id])
    if known:
        return _still_valid(known[0])
    position = (connection.scalar(select(func.max(ENTRY.c.position))) or 0) + 1
    connection.execute(insert(ENTRY), _entry_row(draft, new_id, position))
    links = [_link(new_id, "supersedes", old) for old in supersedes]
    if links:
        connection.execute(insert(LINK), links)
    for evidence in draft.evidence:
        add_evidence(connection, new_id, evidence)
    return get(connection, new_id)


def add_evidence(connection: Connection, id_: str, evidence: Evidence) -> bool:
    """Link an entry to one more task that supports it; False if that task is linked already."""
    return _add_link(
        connection, {**_link(id_, "evidence", evidence.task_id), "start": evidence.start, "stop": evidence.stop}
    )


def add_tool(connection: Connection, id_: str, tool: str) -> None:
    """Link a plan to a tool that implements it: D(p) of Metis §3.3."""
    entry = get(connection, id_)
    if entry.kind is not Kind.PLAN:
        raise EntryConflict(f"entry {id_!r} is a {entry.kind}; only a plan is implemented by a tool")
    _add_link(connection, _link(id_, "implements", tool))


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


def mark_invalid(connection: Connection, ids: Iterable[str], *, why: str) -> None:
    """Clear the valid bit of entries that have it, and keep the reason. The first reason stays."""
    changes = {"valid": False, "invalid_because": why, "valid_to": now()}
    connection.execute(update(ENTRY).where(ENTRY.c.id.in_(list(ids)), ENTRY.c.valid).values(**changes))


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


def scopes(connection: Connection) -> list[str]:
    """Return every scope that a task or an entry has, sorted."""
    return sorted(connection.scalars(select(TASK.c.scope).union(select(ENTRY.c.scope))).all())


def has_scope(connection: Connection, scope: str) -> bool:
    """Return whether a task or an entry has this scope."""
    found = (select(table.c.scope).where(table.c.scope == scope).limit(1) for table in (TASK, ENTRY))
    return any(connection.scalar(query) is not None for query in found)


def _still_valid(entry: Entry) -> Entry:
    if not entry.valid:
        raise EntryConflict(
            f"entry {entry.id!r} with these words was invalidated; add it with other words, or replace() it"
        )
    return entry


def _add_link(connection: Connection, link: dict[str, Any]) -> bool:
    same = (LINK.c.entry_id == link["entry_id"], LINK.c.relation == link["relation"], LINK.c.target == link["target"])
    if connection.scalar(select(LINK.c.id).where(*same)) is not None:
        return False
    connection.execute(insert(LINK), link)
    return True


def _link(id_: str, relation: str, target: str) -> dict[str, Any]:
    return {"entry_id": id_, "relation": relation, "target": target, "start": None, "stop": None}


def _entry_row(draft: Draft, new_id: str, position: int) -> dict[str, Any]:
    return {
        "id": new_id,
        "position": position,
        "key": pool_key(draft.kind, draft.scope, draft.signature),
        "kind": draft.kind.value,
        "scope": draft.scope,
        "title": draft.title,
        "body": draft.body,
        "signature": canonical(list(draft.signature)),
        "source": draft.source,
        "confidence": draft.confidence,
    }


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
            Evidence(task_id=link.target, start=link.start, stop=link.stop)
            for link in links
            if link.relation == "evidence"
        ),
        supersedes=tuple(link.target for link in links if link.relation == "supersedes"),
        implements=tuple(link.target for link in links if link.relation == "implements"),
    )
