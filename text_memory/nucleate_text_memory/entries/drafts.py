"""Drafts of what somebody tells: the words and the key follow from the content."""

from __future__ import annotations

from nucleate_text_memory.contents import Content, FactContent, PlanContent, body_of, title_of
from nucleate_text_memory.values import Draft, Kind


def drafted(content: Content, *, scope: str, source: str) -> Draft:
    """Return the draft of a plan, a fact or a pitfall. A fact's key is its subject and predicate in any case."""
    key = (_folded(content.subject), _folded(content.predicate)) if isinstance(content, FactContent) else ()
    return Draft(
        kind=_kind(content),
        scope=scope,
        title=title_of(content),
        body=body_of(content),
        source=source,
        signature=key,
        content=content,
    )


def _kind(content: Content) -> Kind:
    if isinstance(content, FactContent):
        return Kind.FACT
    return Kind.PLAN if isinstance(content, PlanContent) else Kind.PITFALL


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
