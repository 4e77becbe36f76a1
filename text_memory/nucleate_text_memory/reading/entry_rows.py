"""Entries with their links, and the scopes that there are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from nucleate_text_memory.contents import from_text
from nucleate_text_memory.errors import UnknownEntry, UnknownScope
from nucleate_text_memory.reading.statements import EntryCondition, QueryRunner, parts, utc
from nucleate_text_memory.reading.statements import where as run_where
from nucleate_text_memory.scopes import values, visible
from nucleate_text_memory.values import Entry, EntryStatus, Kind, Sensitivity, SourceSpan, Trust

VALID = EntryCondition(text="valid")
_ENTRIES = "SELECT * FROM entry WHERE {conditions} ORDER BY position"
_LINKS = "SELECT * FROM entry_link WHERE entry_id IN :ids ORDER BY id"
_SCOPES = "SELECT scope FROM task UNION SELECT scope FROM entry"
_KNOWS = """SELECT 1 AS known WHERE EXISTS (SELECT 1 FROM task WHERE scope = :scope)
    OR EXISTS (SELECT 1 FROM entry WHERE scope = :scope)"""


def where(run: QueryRunner, *conditions: EntryCondition) -> list[Entry]:
    """Return the entries that meet the conditions, in the order in which they were added."""
    rows = run_where(run, _ENTRIES, conditions)
    links = _links(run, [row.id for row in rows])
    return [_entry(row, links[row.id]) for row in rows]


def get(run: QueryRunner, id_: str) -> Entry:
    """Return one entry."""
    found = find(run, [id_])
    if not found:
        raise UnknownEntry(f"no entry {id_!r}; entries() lists all")
    return found[0]


def find(run: QueryRunner, ids: Sequence[str]) -> list[Entry]:
    """Return those of the entries that exist, in the order in which they were added."""
    return where(run, among("id", ids))


def among(column: str, values: Sequence[str]) -> EntryCondition:
    """Return the condition that a column has one of these values."""
    return EntryCondition(text=f"{column} IN :{column}s", values={f"{column}s": list(values)})


def in_force(at: datetime) -> EntryCondition:
    """Return the condition of an entry that guides at this moment: valid, begun, not ended, not expired."""
    return EntryCondition(
        text="""valid AND valid_from <= :moment AND (valid_to IS NULL OR valid_to > :moment)
            AND (expires_at IS NULL OR expires_at > :moment)""",
        values={"moment": utc(at)},
    )


def within(run: QueryRunner, scope: str | None) -> list[EntryCondition]:
    """Return the condition of an entry that a scope sees; UnknownScope where nothing is known of it."""
    if scope is None:
        return []
    require_scope(run, scope)
    return [among("scope", visible(scope))]


def scopes(run: QueryRunner) -> list[str]:
    """Return every scope that a task or an entry has, sorted."""
    return sorted(row.scope for row in run(_SCOPES))


def require_scope(run: QueryRunner, scope: str) -> None:
    """Raise UnknownScope, with those that there are, where nothing is known of a scope."""
    if not knows_scope(run, scope):
        known = ", ".join(repr(name) for name in scopes(run) if "?" not in name) or "none yet"
        raise UnknownScope(f"no scope {scope!r}; known scopes: {known}")


def knows_scope(run: QueryRunner, scope: str) -> bool:
    """Return whether a task or an entry has this scope, or at least every part of it is known from some scope."""
    if run(_KNOWS, scope=scope):
        return True
    wanted = values(scope)
    return len(wanted) > 1 and wanted <= {part for known in scopes(run) for part in values(known)}


def _links(run: QueryRunner, ids: Sequence[str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = defaultdict(list)
    for part in parts(ids):
        for row in run(_LINKS, ids=part):
            found[row.entry_id].append(row)
    return found


def _entry(row: Any, links: list[Any]) -> Entry:
    return Entry(
        id=row.id,
        kind=Kind(row.kind),
        scope=row.scope,
        title=row.title,
        body=row.body,
        signature=tuple(json.loads(row.signature)),
        source=row.source,
        confidence=row.confidence,
        valid=bool(row.valid),
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


def _targets(links: list[Any], relation: str) -> tuple[str, ...]:
    return tuple(link.target for link in links if link.relation == relation)


def _aware(moment: datetime | str | None) -> datetime | None:
    return None if moment is None else utc(moment)
