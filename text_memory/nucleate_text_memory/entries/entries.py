"""What entries gain: evidence, tools, links, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from nucleate_text_memory.errors import EntryConflict
from nucleate_text_memory.open_transaction import run_on
from nucleate_text_memory.reading import entry_rows as entries
from nucleate_text_memory.tables import ENTRY, LINK, TASK
from nucleate_text_memory.values import Entry, Kind, SourceSpan


def add_evidence(connection: Connection, id_: str, evidence: SourceSpan) -> bool:
    """Link an entry to one more task that supports it; False if that task is linked already."""
    return add_link(
        connection, {**link(id_, "evidence", evidence.task_id), "start": evidence.start, "stop": evidence.stop}
    )


def add_tool(connection: Connection, id_: str, tool: str) -> None:
    """Link a plan to a tool that implements it: D(p) of Metis §3.3."""
    entry = get(connection, id_)
    if entry.kind is not Kind.PLAN:
        raise EntryConflict(f"entry {id_!r} is a {entry.kind}; only a plan is implemented by a tool")
    add_link(connection, link(id_, "implements", tool))


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


def get(connection: Connection, id_: str) -> Entry:
    """Return one entry."""
    return entries.get(run_on(connection), id_)


def find(connection: Connection, ids: Sequence[str]) -> list[Entry]:
    """Return those of the entries that exist, in the order in which they were added."""
    return entries.find(run_on(connection), ids)


def with_keys(connection: Connection, keys: Sequence[str]) -> dict[str, Entry]:
    """Return the newest entry of each key, valid or not."""
    rows = connection.execute(select(ENTRY.c.id, ENTRY.c.key).where(ENTRY.c.key.in_(list(keys)))).all()
    key_of = {row.id: row.key for row in rows}
    return {key_of[entry.id]: entry for entry in find(connection, list(key_of))}


def add_link(connection: Connection, row: dict[str, Any]) -> bool:
    """Add a link; False if the entry has this one."""
    same = (LINK.c.entry_id == row["entry_id"], LINK.c.relation == row["relation"], LINK.c.target == row["target"])
    if connection.scalar(select(LINK.c.id).where(*same)) is not None:
        return False
    connection.execute(insert(LINK), row)
    return True


def link(id_: str, relation: str, target: str) -> dict[str, Any]:
    """Return a link as a row."""
    return {"entry_id": id_, "relation": relation, "target": target, "start": None, "stop": None}
