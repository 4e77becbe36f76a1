"""Chosen entries as guidance in a prompt: within a budget of tokens, each with where it comes from."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from nucleate_text_memory import Entry
from nucleate_text_memory.retrieval.packing import pack
from nucleate_text_memory.retrieval.words import estimate_tokens

_NAMED = 3  # sources that are named; the others are counted


@dataclass(frozen=True, kw_only=True)
class RenderedGuidance:
    """The text, the entries that are in it, and its size."""

    text: str
    entries: tuple[Entry, ...]
    tokens: int


def render_entries(entries: Sequence[Entry], *, budget: int, callable_: Container[str] = ()) -> RenderedGuidance:
    """Return guidance, best first; an entry too long for what is left of the budget is passed over.

    Of the tools that do a plan those are named that can be called.
    """
    texts = [entry_text(entry, callable_) for entry in entries]
    kept = pack(range(len(texts)), lambda at: estimate_tokens(texts[at]), budget)
    return RenderedGuidance(
        text="\n\n".join(texts[at] for at in kept),
        entries=tuple(entries[at] for at in kept),
        tokens=sum(estimate_tokens(texts[at]) for at in kept),
    )


def entry_text(entry: Entry, callable_: Container[str] = ()) -> str:
    """Return one entry: what it says, its id, its sources, and the tools that do it, as far as they can be called."""
    named = [name for name in entry.implements if name in callable_]
    tools = f"; done by the tool {', '.join(named)}" if named else ""
    return f"## {entry.kind.value.capitalize()}: {entry.title}\n\n{entry.body}\n({entry.id}, {_sources(entry)}{tools})"


def _sources(entry: Entry) -> str:
    named = list(dict.fromkeys([*(item.task_id for item in entry.evidence), *entry.sources])) or [entry.source]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"from {', '.join(named[:_NAMED])}{more}"
