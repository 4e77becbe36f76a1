"""The one way in for an entry: contract, trust, conflicts; it becomes active, joins one that is there, or is held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import update

from nucleate_text_memory.entries import conflicts, contract
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries.orders import order_in
from nucleate_text_memory.entries.taint import guessed_from, quoted_from
from nucleate_text_memory.entries.trust import reason_to_hold, trust_of, vouched
from nucleate_text_memory.entries.writing import EntryChange, insert_entry, note, retire, verify
from nucleate_text_memory.errors import EntryConflict
from nucleate_text_memory.identity import entry_id
from nucleate_text_memory.scopes import Scope
from nucleate_text_memory.tables import ENTRY
from nucleate_text_memory.values import Draft, Entry, EntryStatus, Trust


def admit(change: EntryChange, draft: Draft, *, supersedes: Sequence[str] = ()) -> Entry:
    """Add a redacted draft; what it supersedes is retired unless it is held.

    The same statement again adds its evidence and its source to the entry that is there.
    """
    Scope.parse(draft.scope)
    contract.check(change.contract, draft)
    overlapping = [entry for entry in conflicts.rivals(change, draft) if entry.id not in supersedes]
    same = conflicts.restated(change, draft, overlapping)
    known = [same] if same else rows.find(change.connection, [entry_id(draft, tuple(supersedes))])
    evidence = (*draft.evidence, *(known[0].evidence if known else ()))
    held = hold(change, draft) or guessed_from(change.connection, draft, evidence)
    held = held or conflicts.contradicted(draft, overlapping)
    if known and not _is_past(known[0], overlapping):
        return _again(change, known[0], draft, held)
    if held:
        return insert_entry(change, draft, supersedes=supersedes, held=held)
    return place(change, draft, supersedes=supersedes, overlapping=overlapping)


def place(change: EntryChange, draft: Draft, *, supersedes: Sequence[str], overlapping: Sequence[Entry] = ()) -> Entry:
    """Add an active entry and retire what it supersedes."""
    if overlapping:
        return conflicts.supersede(change, draft, list(overlapping), also=supersedes)
    new = insert_entry(change, draft, supersedes=supersedes)
    retire(change, supersedes, EntryStatus.SUPERSEDED, why=f"superseded by {new.id}: {change.why}", other=new.id)
    return rows.get(change.connection, new.id)


def release(change: EntryChange, held: Entry, draft: Draft) -> Entry:
    """Let a held entry guide after all, under the name of whoever vouches for it."""
    overlapping = [entry for entry in conflicts.rivals(change, draft) if entry.id != held.id]
    new = place(change, draft, supersedes=(held.id, *held.supersedes), overlapping=overlapping)
    support(change, new, replace(draft, evidence=held.evidence), sources=held.sources)
    return rows.get(change.connection, new.id)


def support(change: EntryChange, entry: Entry, draft: Draft, *, sources: Sequence[str] = ()) -> Entry:
    """Add a draft's evidence and source to an entry; only independent sources raise its confidence, once each."""
    new = [rows.add_evidence(change.connection, entry.id, evidence) for evidence in draft.evidence]
    spoken = [rows.add_link(change.connection, rows.link(entry.id, "source", s)) for s in (*sources, draft.source)]
    if any(new + spoken):
        note(change, entry.id, "supported", why=change.why, other=draft.source)
    found = rows.get(change.connection, entry.id)
    independent = [s for s in found.sources if trust_of(s) in (Trust.USER, Trust.ENVIRONMENT)]
    raised = max(found.confidence, rows.confidence(len(independent)) if len(independent) > 1 else 0.0)
    change.connection.execute(update(ENTRY).where(ENTRY.c.id == entry.id).values(confidence=raised))
    return rows.get(change.connection, entry.id)


def hold(change: EntryChange, draft: Draft) -> str | None:
    """Return why a draft may not guide anybody yet."""
    return reason_to_hold(draft) or quoted_from(change.connection, draft)


def _again(change: EntryChange, entry: Entry, draft: Draft, held: str | None) -> Entry:
    verify(change.connection, entry)
    if entry.status is EntryStatus.ACTIVE:
        return support(change, entry, draft)
    if entry.status is not EntryStatus.QUARANTINED:
        raise EntryConflict(
            f"entry {entry.id!r} with these words was {entry.status}; restore() it, or add it with other words"
        )
    joined = support(change, entry, draft)
    ordering = order_in(f"{draft.title}\n{draft.body}")
    contradicting = conflicts.contradicted(draft, conflicts.rivals(change, draft))
    enough = held is None or (vouched(joined.sources, draft.scope) and ordering is None and contradicting is None)
    return release(change, joined, draft) if enough else joined


def _is_past(entry: Entry, overlapping: Sequence[Entry]) -> bool:
    """Return whether the words are those of a superseded fact that something else stands against now."""
    return entry.status is EntryStatus.SUPERSEDED and bool(overlapping)
