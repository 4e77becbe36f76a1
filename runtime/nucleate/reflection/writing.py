"""Writes what a review decided: every accepted proposal, in the transaction that ends its job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from nucleate.reflection.gates import Gates
from nucleate.reflection.review_actions import Add, Invalidate, Merge, Proposal, Revise
from nucleate_text_memory import Entry, MemoryFault, TextMemory

BY = "reflection"


def write(memory: TextMemory, connection: Connection, gates: Gates, proposals: Sequence[Proposal]) -> list[Entry]:
    """Return the entries that were written; some of them in quarantine, as the memory decides."""
    return list(_written(memory.within(connection), gates, proposals))


def _written(memory: TextMemory, gates: Gates, proposals: Sequence[Proposal]) -> Iterator[Entry]:
    for proposal in proposals:
        try:
            yield _one(memory, gates, proposal)
        except MemoryFault:
            continue  # somebody changed the entry since the review looked at it: theirs counts


def _one(memory: TextMemory, gates: Gates, proposal: Proposal) -> Entry:
    match proposal:
        case Add():
            return memory.add(gates.draft(proposal), by=BY, why="seen in a run")
        case Merge(ids=ids, why=why):
            return memory.merge(ids, gates.draft(proposal), by=BY, why=why)
        case Revise(id=id_, why=why):
            return memory.revise(id_, gates.draft(proposal), by=BY, why=why)
        case Invalidate(id=id_, why=why):
            return memory.invalidate(id_, by=BY, why=why)
