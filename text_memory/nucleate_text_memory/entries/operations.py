"""What is done to entries that are there: revised, merged, invalidated, restored, released, rejected, forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, Engine, delete, insert, update

from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries.admitting import admit, place, release, support
from nucleate_text_memory.entries.conflicts import rivals
from nucleate_text_memory.entries.writing import EntryChange, draft_of, note, retire, verify
from nucleate_text_memory.errors import EntryConflict
from nucleate_text_memory.identity import canonical
from nucleate_text_memory.open_transaction import run_on
from nucleate_text_memory.reading.timeline import lineage
from nucleate_text_memory.tables import ENTRY, EVENT, LINK, VECTOR
from nucleate_text_memory.values import Draft, Entry, EntryStatus

_ENDED = (EntryStatus.INVALIDATED, EntryStatus.SUPERSEDED)


def merge(change: EntryChange, ids: Sequence[str], draft: Draft) -> Entry:
    """Add one entry in place of several of the same kind and scope; it keeps their evidence and their sources."""
    old = [_active(change, id_) for id_ in ids]
    for entry in old:
        _refuse_other_place(entry, draft)
    new = admit(change, draft, supersedes=tuple(ids))
    for entry in old if new.status is EntryStatus.ACTIVE else ():
        for evidence in entry.evidence:
            rows.add_evidence(change.connection, new.id, evidence)
        for source in entry.sources:
            rows.add_link(change.connection, rows.link(new.id, "source", source))
    return rows.get(change.connection, new.id)


def invalidate(change: EntryChange, id_: str) -> Entry:
    """Clear the valid bit and keep the reason."""
    rows.get(change.connection, id_)
    retire(change, [id_], EntryStatus.INVALIDATED, why=change.why)
    return rows.get(change.connection, id_)


def restore(change: EntryChange, id_: str) -> Entry:
    """Bring back an entry that was invalidated or superseded: a new one with its words, evidence, sources and tools."""
    entry = rows.get(change.connection, id_)
    verify(change.connection, entry)
    if entry.status not in _ENDED:
        raise EntryConflict(f"entry {id_!r} is {entry.status}; only what was invalidated or superseded is restored")
    draft = draft_of(entry)
    new = place(change, draft, supersedes=(id_,), overlapping=rivals(change, draft))
    support(change, new, draft, sources=entry.sources)
    for tool in entry.implements:
        rows.add_tool(change.connection, new.id, tool)
    return rows.get(change.connection, new.id)


def release_held(change: EntryChange, id_: str) -> Entry:
    """Let a quarantined entry guide, because the author of the change vouches for it."""
    held = _held(change, id_)
    return release(change, held, replace(draft_of(held), source=f"user:{change.author}"))


def reject_held(change: EntryChange, id_: str) -> Entry:
    """Refuse a quarantined entry for good: the same words are not taken again."""
    _held(change, id_)
    retire(change, [id_], EntryStatus.REJECTED, why=change.why)
    return rows.get(change.connection, id_)


def forget(change: EntryChange, id_: str) -> list[str]:
    """Delete what an entry and all its versions say, everywhere; a stub with the id, the times and the events stays."""
    rows.get(change.connection, id_)
    ids = lineage(run_on(change.connection), id_)
    blank = {"title": "", "body": "", "signature": canonical([]), "content": "", "content_hash": "", "source": "user"}
    gone = {**blank, "author": "", "held_because": None, "invalid_because": change.why, "valid": False}
    change.connection.execute(
        update(ENTRY)
        .where(ENTRY.c.id.in_(ids))
        .values(**gone, status=EntryStatus.FORGOTTEN.value, retired_at=change.at)
    )
    kept = LINK.c.relation == "supersedes"
    change.connection.execute(delete(LINK).where(LINK.c.entry_id.in_(ids), ~kept))
    change.connection.execute(delete(VECTOR).where(VECTOR.c.entry_id.in_(ids)))
    change.connection.execute(update(EVENT).where(EVENT.c.entry_id.in_(ids)).values(why="", author="", other=""))
    change.connection.execute(insert(LINK), [rows.link(one, "source", "user") for one in ids])
    for one in ids:
        note(change, one, EntryStatus.FORGOTTEN.value, why=change.why)
    return ids


def _active(change: EntryChange, id_: str) -> Entry:
    entry = rows.get(change.connection, id_)
    verify(change.connection, entry)
    if entry.status is not EntryStatus.ACTIVE:
        reason = f" ({entry.why})" if entry.why else ""
        raise EntryConflict(f"entry {id_!r} is {entry.status}{reason}; look at its history and change what is active")
    return entry


def _held(change: EntryChange, id_: str) -> Entry:
    entry = rows.get(change.connection, id_)
    verify(change.connection, entry)
    if entry.status is not EntryStatus.QUARANTINED:
        raise EntryConflict(f"entry {id_!r} is {entry.status}, not quarantined; quarantine() lists what is")
    if not change.author:
        raise EntryConflict(f"entry {id_!r} is released or rejected by a named person; say who")
    return entry


def _refuse_other_place(old: Entry, draft: Draft) -> None:
    if (old.scope, old.kind) != (draft.scope, draft.kind):
        said = f"entry {old.id!r} is a {old.kind} of scope {old.scope!r}, the new one a {draft.kind} of {draft.scope!r}"
        raise EntryConflict(f"{said}; replace entries of the same kind and scope only")


def overwrite_deleted(connection: Connection) -> None:
    """Let SQLite overwrite what this connection deletes; otherwise the words would stay in free pages of the file."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")


def empty_log(engine: Engine) -> None:
    """Move SQLite's write-ahead log into the file, as far as readers let it, so that no old page stays in it."""
    if engine.dialect.name == "sqlite":
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            raw.close()
