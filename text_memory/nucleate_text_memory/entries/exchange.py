"""Entries as JSON Lines: every version with its links and events, so that what is read back is what was written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, insert, select

from nucleate_text_memory.contents import from_text
from nucleate_text_memory.entries.contract import Contract, check
from nucleate_text_memory.entries.entries import find
from nucleate_text_memory.entries.writing import draft_of, fingerprint
from nucleate_text_memory.errors import ContractRefusal
from nucleate_text_memory.identity import canonical
from nucleate_text_memory.reading.statements import utc
from nucleate_text_memory.recordings.ingest import BadLine
from nucleate_text_memory.redaction.redact import redact_draft
from nucleate_text_memory.tables import ENTRY, EVENT, LINK
from nucleate_text_memory.values import Draft, EntryStatus, Kind, Sensitivity, SourceSpan, Trust

_EXCERPT = 120


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LinkLine(_Line):
    """A link of an entry."""

    relation: str
    target: str
    start: int | None = None
    stop: int | None = None


class EventLine(_Line):
    """What was done to an entry."""

    at: datetime
    action: str
    author: str
    why: str
    other: str = ""


class EntryLine(_Line):
    """An entry as the database holds it; `signature` and `content` are JSON text."""

    id: str = Field(min_length=1, max_length=200)
    key: str
    kind: Kind
    scope: str
    title: str
    body: str
    signature: str
    source: str
    confidence: float = Field(ge=0, le=1)
    valid: bool
    valid_from: datetime
    valid_to: datetime | None
    invalid_because: str | None
    content: str
    content_hash: str
    author: str
    trust: Trust
    status: EntryStatus
    sensitivity: Sensitivity
    importance: float = Field(ge=0, le=1)
    recorded_at: datetime
    retired_at: datetime | None
    expires_at: datetime | None
    held_because: str | None
    use_count: int = Field(ge=0)
    used_at: datetime | None
    links: list[LinkLine]
    events: list[EventLine]


@dataclass(frozen=True, kw_only=True)
class ImportCount:
    """What came of an import: ids that are new, how many were there already, and the lines that were refused."""

    added: tuple[str, ...]
    known: int
    bad: tuple[BadLine, ...]


def export(connection: Connection, scopes: Sequence[str] | None) -> Iterator[str]:
    """Yield one line for every entry (of some scopes), in the order in which they were added."""
    chosen = select(ENTRY) if scopes is None else select(ENTRY).where(ENTRY.c.scope.in_(scopes))
    for row in connection.execute(chosen.order_by(ENTRY.c.position)).mappings().all():
        links = select(LINK).where(LINK.c.entry_id == row["id"]).order_by(LINK.c.id)
        events = select(EVENT).where(EVENT.c.entry_id == row["id"]).order_by(EVENT.c.id)
        value = {name: _plain(value) for name, value in row.items() if name != "position"}
        value["content_hash"] = row["content_hash"] or _hash(connection, row["id"], row["status"])
        value["links"] = [_part(one, LinkLine) for one in connection.execute(links).mappings()]
        value["events"] = [_part(one, EventLine) for one in connection.execute(events).mappings()]
        yield canonical(value)


def read(connection: Connection, lines: Iterable[str], contract: Contract) -> ImportCount:
    """Add the entries that are not there yet; a line that is malformed, altered or in conflict is refused alone."""
    added, bad, known = [], [], 0
    position = connection.scalar(select(ENTRY.c.position).order_by(ENTRY.c.position.desc()).limit(1)) or 0
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = _line(connection, text, contract)
        except ValueError as error:
            bad.append(BadLine(number=number, message=str(error), excerpt=text[:_EXCERPT]))
            continue
        if line is None:
            known += 1
        else:
            position += 1
            _write(connection, line, position)
            added.append(line.id)
    return ImportCount(added=tuple(added), known=known, bad=tuple(bad))


def _line(connection: Connection, text: str, contract: Contract) -> EntryLine | None:
    try:
        line = EntryLine.model_validate_json(text)
    except ValidationError as error:
        faults = (
            f"{'.'.join(map(str, item['loc'])) or 'line'}: {item['msg']}" for item in error.errors(include_url=False)
        )
        raise ValueError("; ".join(faults)) from error
    _check(line, contract)
    there = find(connection, [line.id])
    if not there:
        return line
    stored = connection.scalar(select(ENTRY.c.content_hash).where(ENTRY.c.id == line.id))
    if stored != line.content_hash or there[0].status is not line.status:
        raise ValueError(
            f"entry {line.id!r} is here already in another state; decide which is right with revise or invalidate"
        )
    return None


def _check(line: EntryLine, contract: Contract) -> None:
    """Raise ValueError for a line that the memory would not have written."""
    if line.status is EntryStatus.FORGOTTEN:
        if line.title or line.body or line.content:
            raise ValueError(f"entry {line.id!r} is forgotten and yet says something; import the stub alone")
        return
    draft = _draft(line)
    if fingerprint(draft) != line.content_hash:
        raise ValueError(f"entry {line.id!r} was altered since it was exported; add() what is right as a new entry")
    if redact_draft(draft, personal=contract.redaction.personal_in_entries) != draft:
        raise ValueError(f"entry {line.id!r} holds a secret or a personal identifier; add() it as a new entry")
    try:
        check(contract, draft)
    except ContractRefusal as error:
        raise ValueError(f"entry {line.id!r}: {error}") from error


def _draft(line: EntryLine) -> Draft:
    same = {
        name: getattr(line, name) for name in ("kind", "scope", "title", "body", "source", "importance", "sensitivity")
    }
    evidence = [
        SourceSpan(task_id=link.target, start=link.start or 0, stop=link.stop or 0)
        for link in line.links
        if link.relation == "evidence"
    ]
    return Draft(
        **same,
        signature=tuple(json.loads(line.signature)),
        content=from_text(line.kind, line.content),
        valid_from=line.valid_from,
        valid_to=line.valid_to,
        evidence=tuple(evidence),
    )


def _write(connection: Connection, line: EntryLine, position: int) -> None:
    row = line.model_dump(mode="python", exclude={"links", "events"})
    stored = {name: utc(value) if isinstance(value, datetime) else value for name, value in row.items()}
    connection.execute(insert(ENTRY), {**stored, "position": position})
    for table, parts in ((LINK, line.links), (EVENT, line.events)):
        values: list[dict[str, Any]] = [{**part.model_dump(), "entry_id": line.id} for part in parts]
        if values:
            connection.execute(insert(table), [_in_utc(value) for value in values])


def _hash(connection: Connection, id_: str, status: str) -> str:
    return "" if status == EntryStatus.FORGOTTEN.value else fingerprint(draft_of(find(connection, [id_])[0]))


def _in_utc(row: dict[str, Any]) -> dict[str, Any]:
    return {name: utc(value) if isinstance(value, datetime) else value for name, value in row.items()}


def _part(row: Any, shape: type[LinkLine] | type[EventLine]) -> dict[str, Any]:
    return {name: _plain(row[name]) for name in shape.model_fields}


def _plain(value: Any) -> Any:
    return utc(value).isoformat() if isinstance(value, datetime) else value
