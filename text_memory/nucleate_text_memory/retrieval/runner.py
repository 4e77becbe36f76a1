"""Runs a retrieval program: from a query to an evidence view, each document with the reasons why it is there."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate_text_memory.errors import UnknownScope
from nucleate_text_memory.retrieval.asked import understand
from nucleate_text_memory.retrieval.collection import Collection
from nucleate_text_memory.retrieval.documents import Query
from nucleate_text_memory.retrieval.primitives import apply
from nucleate_text_memory.retrieval.program import Pack, Program, seed
from nucleate_text_memory.retrieval.reasons import reasons
from nucleate_text_memory.retrieval.view import Hit, View


@dataclass(frozen=True, kw_only=True)
class EvidenceView:
    """What a program found, best first; its size in tokens; and what was missing while it ran."""

    hits: tuple[Hit, ...]
    tokens: int
    notes: tuple[str, ...] = ()


def retrieve(
    query: Query | str,
    collection: Collection,
    *,
    program: Program | str = "default",
    budget: int | None = None,
    limit: int | None = None,
) -> EvidenceView:
    """Return the evidence that a program (or a seed program, by name) finds in a collection.

    The result is packed to `budget` tokens and `limit` documents on top of what the program says. A collection answers
    queries of its own scope only.
    """
    asked = Query(text=query, scope=collection.scope) if isinstance(query, str) else query
    if asked.scope != collection.scope:
        raise UnknownScope(f"no scope {asked.scope!r} in this collection; it holds {collection.scope!r}")
    chosen = seed(program) if isinstance(program, str) else program
    view = View(query=asked, asked=understand(asked, collection), collection=collection)
    for step in chosen.steps:
        apply(step, view)
    apply(Pack(budget=budget, limit=limit), view)
    return _evidence(view)


def _evidence(view: View) -> EvidenceView:
    found = view.best()
    hits = (Hit(document=view.collection.documents[p], score=view.scores[p], reasons=reasons(view, p)) for p in found)
    tokens = sum(view.collection.tokens(position) for position in found)
    return EvidenceView(hits=tuple(hits), tokens=tokens, notes=view.collection.notes)
