"""Writes of entries: added, retired and copied, each with an event; what an entry says is never edited in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from nucleate_text_memory.contents import to_text
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries.contract import Contract
from nucleate_text_memory.entries.trust import trust_of
from nucleate_text_memory.errors import EntryAltered
from nucleate_text_memory.identity import canonical, digest, entry_id, pool_key
from nucleate_text_memory.reading.statements import utc
from nucleate_text_memory.storable_text import storable_text
from nucleate_text_memory.tables import ENTRY, EVENT, LINK
from nucleate_text_memory.values import Draft, Entry, EntryStatus, Json


@dataclass(frozen=True, kw_only=True)
class EntryChange:
    """One transaction that changes entries: when, by whom, why, and under which contract."""

    connection: Connection
    at: datetime
    author: str
    why: str
    contract: Contract

    def __post_init__(self) -> None:
        for name in ("author", "why"):
            object.__setattr__(self, name, storable_text(getattr(self, name)))


def insert_entry(
    change: EntryChange, draft: Draft, *, supersedes: Sequence[str] = (), held: str | None = None
) -> Entry:
    """Add an entry, in quarantine where `held` says why; it is not there yet."""
    connection, new_id = change.connection, entry_id(draft, tuple(supersedes))
    position = (connection.scalar(select(func.max(ENTRY.c.position))) or 0) + 1
    connection.execute(insert(ENTRY), {**_row(change, draft, held), "id": new_id, "position": position})
    links = [rows.link(new_id, "supersedes", old) for old in supersedes]
    connection.execute(insert(LINK), [*links, rows.link(new_id, "source", draft.source)])
    for evidence in draft.evidence:
        rows.add_evidence(connection, new_id, evidence)
    note(change, new_id, "quarantined" if held else "added", why=held or change.why, other=", ".join(supersedes))
    return rows.get(connection, new_id)


def retire(change: EntryChange, ids: Iterable[str], status: EntryStatus, *, why: str, other: str = "") -> None:
    """Clear the valid bit of entries that are active or held, and keep the reason. The first reason stays."""
    for entry in rows.find(change.connection, list(ids)):
        verify(change.connection, entry)
        if entry.status in (EntryStatus.ACTIVE, EntryStatus.QUARANTINED):
            ended = {"valid": False, "status": status.value, "invalid_because": why, "retired_at": utc(change.at)}
            change.connection.execute(update(ENTRY).where(ENTRY.c.id == entry.id).values(**ended))
            note(change, entry.id, status.value, why=why, other=other)


def copy(change: EntryChange, entry: Entry, *, supersedes: Sequence[str] = (), **changes: Any) -> Entry:
    """Add an entry with the words of another one, that carries on its links, and supersedes it at least."""
    new = insert_entry(change, replace(draft_of(entry), **changes), supersedes=supersedes or (entry.id,))
    for relation, targets in (("source", entry.sources), ("implements", entry.implements)):
        for target in targets:
            rows.add_link(change.connection, rows.link(new.id, relation, target))
    return rows.get(change.connection, new.id)


def renew(change: EntryChange, task_id: str) -> None:
    """Let entries that live only so long, and that a task was evidence of again, live from now on anew."""
    seen = select(LINK.c.entry_id).where(LINK.c.relation == "evidence", LINK.c.target == task_id)
    for kind, rule in change.contract.kinds.items():
        if rule.days_to_live:
            mortal = (ENTRY.c.id.in_(seen), ENTRY.c.kind == kind.value, ENTRY.c.expires_at.is_not(None))
            until = utc(change.at) + timedelta(days=rule.days_to_live)
            change.connection.execute(update(ENTRY).where(*mortal).values(expires_at=until))


def draft_of(entry: Entry) -> Draft:
    """Return the draft that says what an entry says."""
    same = {name: getattr(entry, name) for name in Draft.__dataclass_fields__}
    return Draft(**same)


def note(change: EntryChange, id_: str, action: str, *, why: str, other: str = "") -> None:
    """Record what was done to an entry, by whom and why."""
    event = {"entry_id": id_, "at": utc(change.at), "action": action, "author": change.author, "why": why}
    change.connection.execute(insert(EVENT), {**event, "other": other})


def verify(connection: Connection, entry: Entry) -> None:
    """Raise EntryAltered if somebody edited what an entry says since the memory wrote it."""
    stored = connection.scalar(select(ENTRY.c.content_hash).where(ENTRY.c.id == entry.id))
    if stored and stored != fingerprint(draft_of(entry)):
        raise EntryAltered(
            f"entry {entry.id!r} was edited outside of the memory; forget() it, and add() what is right as a new entry"
        )


def fingerprint(draft: Draft) -> str:
    """Return the hash of all that an entry says and of when it holds."""
    period: list[Json] = [utc(moment).isoformat() if moment else None for moment in (draft.valid_from, draft.valid_to)]
    said: list[Json] = [draft.kind.value, draft.scope, draft.title, draft.body, list(draft.signature), draft.source]
    rest: list[Json] = [to_text(draft.content), draft.importance, draft.sensitivity.value]
    return digest([*said, *period, *rest])


def _row(change: EntryChange, draft: Draft, held: str | None) -> dict[str, Any]:
    begun = replace(draft, valid_from=utc(draft.valid_from or change.at))
    days = change.contract.kinds[draft.kind].days_to_live
    return {
        "key": pool_key(draft.kind, draft.scope, draft.signature),
        "kind": draft.kind.value,
        "scope": draft.scope,
        "title": draft.title,
        "body": draft.body,
        "signature": canonical(list(draft.signature)),
        "source": draft.source,
        "confidence": draft.confidence,
        "valid": held is None,
        "valid_from": begun.valid_from,
        "valid_to": utc(draft.valid_to) if draft.valid_to else None,
        "content": to_text(draft.content),
        "content_hash": fingerprint(begun),
        "author": change.author,
        "trust": trust_of(draft.source).value,
        "status": (EntryStatus.QUARANTINED if held else EntryStatus.ACTIVE).value,
        "sensitivity": draft.sensitivity.value,
        "importance": draft.importance,
        "recorded_at": utc(change.at),
        "expires_at": utc(change.at) + timedelta(days=days) if days else None,
        "held_because": held,
        "use_count": 0,
    }
