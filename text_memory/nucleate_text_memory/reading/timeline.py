"""The two time axes: what was true when, as far as it was known when; and how an entry came to be what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from nucleate_text_memory.contents import FactContent, PitfallContent, PlanContent
from nucleate_text_memory.reading import entry_rows as entries
from nucleate_text_memory.reading.statements import EntryCondition, QueryRunner, parts, utc
from nucleate_text_memory.values import Entry, EntryStatus, Event

_TRUE_THEN = """valid_from <= :true AND (valid_to IS NULL OR valid_to > :true)
    AND recorded_at <= :known AND (retired_at IS NULL OR retired_at > :known)
    AND held_because IS NULL AND status <> :forgotten"""
_EVENTS = "SELECT * FROM entry_event WHERE entry_id IN :ids ORDER BY id"
_NEWEST = "SELECT max(id) AS newest FROM entry_event"
_ENDED = "SELECT DISTINCT entry_id FROM entry_event WHERE id > :after AND action IN :actions"
_SUPERSEDING = """SELECT entry_id, target FROM entry_link
    WHERE relation = 'supersedes' AND (entry_id IN :ids OR target IN :ids)"""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One field in which two entries differ."""

    field: str
    before: str
    after: str


def as_of(run: QueryRunner, *, valid: datetime, known: datetime, within: Sequence[EntryCondition]) -> list[Entry]:
    """Return the entries that were true at one moment, as far as it was known at another."""
    moments = {"true": utc(valid), "known": utc(known), "forgotten": EntryStatus.FORGOTTEN.value}
    return entries.where(run, EntryCondition(text=_TRUE_THEN, values=moments), *within)


def events_of(run: QueryRunner, ids: Sequence[str]) -> list[Event]:
    """Return what was done to the entries, in order."""
    found = sorted((row for part in parts(ids) for row in run(_EVENTS, ids=part)), key=lambda row: int(row.id))
    return [
        Event(entry_id=row.entry_id, at=utc(row.at), action=row.action, author=row.author, why=row.why, other=row.other)
        for row in found
    ]


def lineage(run: QueryRunner, id_: str) -> list[str]:
    """Return an entry with all that it superseded, is superseded by, and was narrowed to, in the order added."""
    found, new = {id_}, {id_}
    while new:
        new = {one for pair in run(_SUPERSEDING, ids=sorted(new)) for one in pair} - found
        found |= new
    return [entry.id for entry in entries.find(run, sorted(found))]


def ended(run: QueryRunner, after: int) -> tuple[int, list[Entry]]:
    """Return the number of the newest event, and the entries that were invalidated or superseded after another one."""
    newest = run(_NEWEST)[0].newest or 0
    if newest <= after:
        return newest, []
    actions = [EntryStatus.INVALIDATED.value, EntryStatus.SUPERSEDED.value]
    ids = [row.entry_id for row in run(_ENDED, after=after, actions=actions)]
    return newest, [entry for entry in entries.find(run, ids) if not entry.valid]


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
