"""Who vouches for an entry, by the kind of its source; and what must wait until somebody better does."""

from __future__ import annotations

from collections.abc import Collection

from nucleate_text_memory.entries.orders import order_in, override_in
from nucleate_text_memory.errors import ContractRefusal
from nucleate_text_memory.scopes import Scope
from nucleate_text_memory.values import Draft, Kind, Trust

_KINDS = {
    "user": Trust.USER,
    "environment": Trust.ENVIRONMENT,
    "agent": Trust.AGENT,
    "task": Trust.AGENT,
    "tool": Trust.TOOL_OUTPUT,
}
_RANK = {trust: rank for rank, trust in enumerate(reversed(Trust))}
_QUOTED = 60


def trust_of(source: str) -> Trust:
    """Return the trust that a source has by its kind."""
    kind = source.partition(":")[0]
    if kind not in _KINDS:
        known = ", ".join(f"{name}:…" for name in sorted(_KINDS))
        raise ContractRefusal(f"source.kind: {source!r} does not say who vouches for it; begin it with one of {known}")
    return _KINDS[kind]


def may_supersede(new: str, old: str) -> bool:
    """Return whether a source may contradict another: a better trusted one, the same one, or the memory's owner."""
    rank, other = _RANK[trust_of(new)], _RANK[trust_of(old)]
    return rank > other or new in (old, "user") or (rank == other and trust_of(new) is Trust.ENVIRONMENT)


def vouched(sources: Collection[str], scope: str) -> bool:
    """Return whether somebody independent of what tools and agents say stands behind an entry.

    That is the memory's owner (`user`), the environment, the user whose own scope it is, or two users. Another document
    is not: whoever writes one can write two. An agent is not: it repeats what it read.
    """
    named = {source for source in sources if trust_of(source) is Trust.USER}
    own = f"user:{Scope.parse(scope).user}"
    independent = "user" in named or any(trust_of(source) is Trust.ENVIRONMENT for source in sources)
    return independent or own in named or len(named) >= 2


def reason_to_hold(draft: Draft) -> str | None:
    """Return why an entry may not guide anybody yet; None where it may."""
    trust, order = trust_of(draft.source), order_in(f"{draft.title}\n{draft.body}")
    ordering = f"it reads like an order to the agent ({order[:_QUOTED]!r})" if order else None
    if trust is Trust.TOOL_OUTPUT:
        alone = f"it is text of {draft.source!r} that no independent source supports"
        return f"{alone}, and {ordering}" if ordering else alone
    if trust is Trust.ENVIRONMENT:
        return ordering
    if trust is Trust.USER:
        alone = f"it is the word of {draft.source!r} alone in a scope that others share"
        return None if vouched([draft.source], draft.scope) else alone
    return _reason_to_hold_agent(draft, ordering)


def _reason_to_hold_agent(draft: Draft, ordering: str | None) -> str | None:
    if draft.source.startswith("task:"):
        return None  # made of names and error classes by fixed rules, which leave out what reads like an order
    if draft.kind is Kind.PLAN:  # its steps are orders; only those that speak to the reader are not
        return ordering if override_in(f"{draft.title}\n{draft.body}") else None
    return ordering
