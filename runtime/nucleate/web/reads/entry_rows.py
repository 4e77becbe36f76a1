"""Entries as a list shows them, newest first, and how full the buffers of plans are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, or_
from sqlmodel import col, func

from nucleate.web.reads.selecting import select
from nucleate_codifier.tables import BackoffRow, RecurrenceRow
from nucleate_text_memory import count_groups
from nucleate_text_memory.reading.statements import utc
from nucleate_text_memory.scopes import visible
from nucleate_text_memory.tables import EntryEventRow, EntryLinkRow, EntryRow

PER_PAGE = 40
_MOST_INPUTS = 4_000


@dataclass(frozen=True, kw_only=True)
class EntryCard:
    """One entry of a list."""

    position: int
    id: str
    kind: str
    scope: str
    title: str
    status: str
    trust: str
    held_because: str | None
    confidence: float
    recorded_at: datetime
    runs: int = 0
    tools: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class EntryFilter:
    """Which entries: each part empty for all. `positions` are those that a search found."""

    positions: Sequence[int] | None = None
    scope: str = ""
    kind: str = ""
    status: str = "active"
    before: int = 0


@dataclass(frozen=True, kw_only=True)
class Filling:
    """B(p): the groups of inputs that count, the number at which the plan is due, and how often it was refused."""

    size: int
    threshold: int
    attempts: int = 0


def entries(engine: Engine, wanted: EntryFilter, *, limit: int = PER_PAGE) -> list[EntryCard]:
    """Return one page of entries, the newest first."""
    query = select(
        EntryRow.position, EntryRow.id, EntryRow.kind, EntryRow.scope, EntryRow.title, EntryRow.status,
        EntryRow.trust, EntryRow.held_because, EntryRow.confidence, EntryRow.recorded_at,
    )  # fmt: skip
    for column, value in ((EntryRow.scope, wanted.scope), (EntryRow.kind, wanted.kind)):
        query = query.where(_as_met(column) == value) if value else query
    if wanted.status:  # most entries are active: they are met one after the other, newest first, and never sorted
        status = _as_met(EntryRow.status) if wanted.status == "active" else col(EntryRow.status)
        query = query.where(status == wanted.status)
    if wanted.positions is not None:
        query = query.where(col(EntryRow.position).in_(wanted.positions), col(EntryRow.title) != "")
    if wanted.before:
        query = query.where(col(EntryRow.position) < wanted.before)
    with engine.begin() as connection:
        rows = connection.execute(query.order_by(col(EntryRow.position).desc()).limit(limit)).all()
        ids = [row[1] for row in rows]
        links = select(EntryLinkRow.entry_id, EntryLinkRow.relation, EntryLinkRow.target)
        links = links.where(
            col(EntryLinkRow.entry_id).in_(ids), col(EntryLinkRow.relation).in_(["evidence", "implements"])
        )
        runs, tools = Counter[str](), dict[str, list[str]]()
        for entry, relation, target in connection.execute(links):
            if relation == "evidence":
                runs[entry] += 1
            else:
                tools.setdefault(entry, []).append(target)
    names = EntryCard.__dataclass_fields__
    return [
        EntryCard(**dict(zip(names, row, strict=False)), runs=runs[row[1]], tools=tools.get(row[1], ())) for row in rows
    ]


def _as_met(column: Any) -> Any:
    """Return a column whose index is not used: rows come in the order of their positions, and few are read."""
    return col(column).op("||")("")


def statuses(engine: Engine) -> dict[str, int]:
    """Return how many entries are in each status."""
    with engine.begin() as connection:
        rows = connection.execute(select(EntryRow.status, func.count()).group_by(EntryRow.status))
        return {str(row[0]): int(row[1]) for row in rows}


def newest(engine: Engine) -> tuple[int, int]:
    """Return the newest position and the newest event: counts over all entries hold until one of them moves."""
    with engine.begin() as connection:
        position = connection.scalar(select(func.max(EntryRow.position))) or 0
        return position, connection.scalar(select(func.max(EntryEventRow.id))) or 0


def scopes(engine: Engine) -> list[str]:
    """Return the scopes that entries have."""
    with engine.begin() as connection:
        return sorted(connection.scalars(select(EntryRow.scope).distinct().limit(200)))


def fillings(engine: Engine, plan_ids: Sequence[str], *, theta: int) -> Mapping[str, Filling]:
    """Return how full B(p) of each plan is."""
    inputs = select(RecurrenceRow.plan_id, RecurrenceRow.input_key)
    inputs = inputs.where(col(RecurrenceRow.plan_id).in_(plan_ids), col(RecurrenceRow.related).is_(False))
    tried = select(BackoffRow.plan_id, BackoffRow.threshold, BackoffRow.attempts)
    with engine.begin() as connection:
        keys: dict[str, list[str]] = {}
        for plan, key in connection.execute(inputs.limit(_MOST_INPUTS)):
            keys.setdefault(plan, []).append(key)
        backoff = {
            row[0]: (row[1], row[2]) for row in connection.execute(tried.where(col(BackoffRow.plan_id).in_(plan_ids)))
        }
    return {
        plan: Filling(
            size=count_groups(keys.get(plan, [])),
            threshold=backoff.get(plan, (theta, 0))[0],
            attempts=backoff.get(plan, (theta, 0))[1],
        )
        for plan in plan_ids
    }


def plan_lines(engine: Engine, plan_ids: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Return title and signature (JSON) of plans."""
    query = select(EntryRow.id, EntryRow.title, EntryRow.signature).where(col(EntryRow.id).in_(plan_ids))
    with engine.begin() as connection:
        return {row[0]: (row[1], row[2]) for row in connection.execute(query)}


def recent_plans(engine: Engine, *, limit: int) -> list[str]:
    """Return the plans that were counted last, the latest first."""
    newest = select(RecurrenceRow.plan_id).order_by(col(RecurrenceRow.id).desc()).limit(400)
    with engine.begin() as connection:
        return list(dict.fromkeys(connection.scalars(newest)))[:limit]


def span(engine: Engine) -> tuple[datetime, datetime] | None:
    """Return the first and the last moment at which an entry was recorded or began to hold; None without entries."""
    ends = (func.min(EntryRow.position), func.max(EntryRow.position))
    with engine.begin() as connection:
        first, last = connection.execute(select(*ends)).one()
        if first is None:
            return None
        moments = select(EntryRow.recorded_at).where(col(EntryRow.position).in_([first, last]))
        found = [utc(at) for at in connection.scalars(moments)]
    return min(found), max(found)


def as_of(engine: Engine, scope: str, *, valid: datetime, known: datetime, kind: str, limit: int) -> list[EntryCard]:
    """Return what was true at one moment, as far as it was known at another, the newest first."""
    ended, retired = col(EntryRow.valid_to), col(EntryRow.retired_at)
    conditions = [
        col(EntryRow.scope).in_(visible(scope)),
        col(EntryRow.valid_from) <= valid,
        or_(ended.is_(None), ended > valid),
        col(EntryRow.recorded_at) <= known,
        or_(retired.is_(None), retired > known),
        col(EntryRow.held_because).is_(None),
        col(EntryRow.status) != "forgotten",
    ]
    conditions += [col(EntryRow.kind) == kind] if kind else []
    newest = select(EntryRow.position).where(*conditions).order_by(col(EntryRow.position).desc()).limit(limit)
    with engine.begin() as connection:
        positions = list(connection.scalars(newest))
    return entries(engine, EntryFilter(positions=positions, status=""), limit=limit)
