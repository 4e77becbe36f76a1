"""Conflicts of facts: same key, same scope, overlapping periods, another value. Nothing else is ever compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from nucleate_text_memory.contents import FactContent
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries.trust import may_supersede
from nucleate_text_memory.entries.writing import EntryChange, copy, insert_entry, retire
from nucleate_text_memory.identity import pool_key
from nucleate_text_memory.open_transaction import run_on
from nucleate_text_memory.reading.entry_rows import among, where
from nucleate_text_memory.reading.statements import utc
from nucleate_text_memory.values import Draft, Entry, EntryStatus, Kind


@dataclass(frozen=True, kw_only=True)
class Period:
    """A half-open time [start, stop); no stop: still going on."""

    start: datetime
    stop: datetime | None

    def overlaps(self, other: Period) -> bool:
        """Return whether both share a moment."""
        return (other.stop is None or self.start < other.stop) and (self.stop is None or other.start < self.stop)

    def covers(self, other: Period) -> bool:
        """Return whether every moment of the other is one of this."""
        return self.start <= other.start and (self.stop is None or (other.stop is not None and other.stop <= self.stop))

    def without(self, other: Period) -> list[Period]:
        """Return what is left of this period when the other is taken out: nothing, one piece or two."""
        before = [Period(start=self.start, stop=other.start)] if self.start < other.start else []
        goes_on = other.stop is not None and (self.stop is None or other.stop < self.stop)
        return before + ([Period(start=other.stop, stop=self.stop)] if goes_on and other.stop is not None else [])


def period_of(entry: Entry | Draft, at: datetime) -> Period:
    """Return when an entry holds; one without a beginning begins now."""
    return Period(start=utc(entry.valid_from or at), stop=utc(entry.valid_to) if entry.valid_to else None)


def rivals(change: EntryChange, draft: Draft) -> list[Entry]:
    """Return the active facts of the same key and scope whose periods overlap the draft's."""
    if draft.kind is not Kind.FACT or not isinstance(draft.content, FactContent):
        return []
    key = pool_key(draft.kind, draft.scope, draft.signature)
    told_by = (among("key", [key]), among("status", [EntryStatus.ACTIVE.value]))
    active = where(run_on(change.connection), *told_by)
    told = [entry for entry in active if isinstance(entry.content, FactContent)]
    period = period_of(draft, change.at)
    return [entry for entry in told if period_of(entry, change.at).overlaps(period)]


def restated(change: EntryChange, draft: Draft, overlapping: list[Entry]) -> Entry | None:
    """Return the entry that says the same for the whole period already."""
    period = period_of(draft, change.at)
    same = [entry for entry in overlapping if says_same(entry, draft)]
    return next((entry for entry in same if period_of(entry, change.at).covers(period)), None)


def contradicted(draft: Draft, overlapping: list[Entry]) -> str | None:
    """Return why the draft must wait: it contradicts somebody whom its source may not overrule."""
    for entry in overlapping:
        if not says_same(entry, draft) and not all(may_supersede(draft.source, source) for source in entry.sources):
            return f"it contradicts {entry.id!r}, which {entry.source!r} stands for"
    return None


def supersede(change: EntryChange, draft: Draft, overlapping: list[Entry], *, also: Sequence[str] = ()) -> Entry:
    """Add the draft in place of what it contradicts; the periods that it leaves to the old facts stay theirs."""
    old = [*(entry.id for entry in overlapping), *also]
    new = insert_entry(change, draft, supersedes=old)
    retire(change, old, EntryStatus.SUPERSEDED, why=f"superseded by {new.id}: {change.why}", other=new.id)
    taken = period_of(draft, change.at)
    for entry in overlapping:
        for left in period_of(entry, change.at).without(taken):
            copy(change, entry, valid_from=left.start, valid_to=left.stop)
    return rows.get(change.connection, new.id)


def says_same(entry: Entry, draft: Draft) -> bool:
    """Return whether both give the same value."""
    return entry.content == draft.content
