"""The two time axes: what was true when, as far as it was known when; and how an entry came to be what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, or_, select

from nucleate_text_memory.contents import FactContent, PitfallContent, PlanContent
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.tables import ENTRY, EVENT, utc
from nucleate_text_memory.values import Entry, EntryStatus, Event


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One field in which two entries differ."""

    field: str
    before: str
    after: str


def as_of(
    connection: Connection, *, valid: datetime, known: datetime, within: Sequence[ColumnElement[bool]]
) -> list[Entry]:
    """Return the entries that were true at one moment, as far as it was known at another."""
    true, then = utc(valid), utc(known)
    ended, retired = ENTRY.c.valid_to, ENTRY.c.retired_at
    return rows.where(
        connection,
        ENTRY.c.valid_from <= true,
        or_(ended.is_(None), ended > true),
        ENTRY.c.recorded_at <= then,
        or_(retired.is_(None), retired > then),
        ENTRY.c.held_because.is_(None),
        ENTRY.c.status != EntryStatus.FORGOTTEN.value,
        *within,
    )


def events_of(connection: Connection, ids: Sequence[str]) -> list[Event]:
    """Return what was done to the entries, in order."""
    found = connection.execute(select(EVENT).where(EVENT.c.entry_id.in_(list(ids))).order_by(EVENT.c.id))
    return [
        Event(entry_id=row.entry_id, at=utc(row.at), action=row.action, author=row.author, why=row.why, other=row.other)
        for row in found
    ]


def ended(connection: Connection, after: int) -> tuple[int, list[Entry]]:
    """Return the number of the newest event, and the entries that were invalidated or superseded after another one."""
    newest = connection.scalar(select(func.max(EVENT.c.id))) or 0
    if newest <= after:
        return newest, []
    actions = (EntryStatus.INVALIDATED.value, EntryStatus.SUPERSEDED.value)
    ids = connection.scalars(select(EVENT.c.entry_id).where(EVENT.c.id > after, EVENT.c.action.in_(actions)).distinct())
    return newest, [entry for entry in rows.find(connection, list(ids)) if not entry.valid]


def differences(before: Entry, after: Entry) -> list[Difference]:
    """Return the fields in which what two entries say, and when, differ."""
    old, new = _told(before), _told(after)
    return [
        Difference(field=name, before=old.get(name, ""), after=new.get(name, ""))
        for name in {**old, **new}
        if old.get(name, "") != new.get(name, "")
    ]


def _told(entry: Entry) -> dict[str, str]:
    times = {"valid_from": entry.valid_from, "valid_to": entry.valid_to}
    shown = {name: moment.isoformat() for name, moment in times.items() if moment}
    plain = {"scope": entry.scope, "title": entry.title, "body": entry.body, "source": entry.source}
    return {**plain, **_fields(entry), **shown, "status": entry.status.value}


def _fields(entry: Entry) -> dict[str, str]:
    match entry.content:
        case PlanContent(trigger=trigger, verification=verification, boundary=boundary, steps=steps):
            return {
                "steps": "\n".join(steps), "trigger": trigger, "verification": verification, "boundary": boundary
            }  # fmt: skip
        case FactContent(subject=subject, predicate=predicate, value=value):
            return {"subject": subject, "predicate": predicate, "value": value}
        case PitfallContent(trigger=trigger, mistake=mistake, consequence=consequence):
            return {"trigger": trigger, "mistake": mistake, "consequence": consequence}
        case _:
            return {}
