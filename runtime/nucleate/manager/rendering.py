"""Chosen entries as guidance in a prompt: within a budget of tokens, each with where it comes from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from nucleate_text_memory import Entry
from nucleate_text_memory.retrieval.packing import pack
from nucleate_text_memory.retrieval.words import estimate_tokens

NO_TOOLS: Mapping[str, Collection[str]] = {}
_NAMED = 3  # sources that are named; the others are counted


@dataclass(frozen=True, kw_only=True)
class RenderedGuidance:
    """The text, the entries that are in it, and its size."""

    text: str
    entries: tuple[Entry, ...]
    tokens: int


def render_entries(
    entries: Sequence[Entry],
    *,
    budget: int,
    does: Mapping[str, Collection[str]] = NO_TOOLS,
    writes: Collection[str] = (),
) -> RenderedGuidance:
    """Return guidance, best first; an entry too long for what is left of the budget is passed over.

    `does` tells which functions the tools call that can be called, and `writes` which functions change something.
    """
    texts = [entry_text(entry, does=does, writes=writes) for entry in entries]
    kept = pack(range(len(texts)), lambda at: estimate_tokens(texts[at]), budget)
    return RenderedGuidance(
        text="\n\n".join(texts[at] for at in kept),
        entries=tuple(entries[at] for at in kept),
        tokens=sum(estimate_tokens(texts[at]) for at in kept),
    )


def entry_text(entry: Entry, *, does: Mapping[str, Collection[str]] = NO_TOOLS, writes: Collection[str] = ()) -> str:
    """Return one entry: what it says, its id, its sources, and what those of its tools do of it that can be called."""
    tools = "".join(f"; {_done(entry, name, does[name], writes)}" for name in entry.implements if name in does)
    return f"## {entry.kind.value.capitalize()}: {entry.title}\n\n{entry.body}\n({entry.id}, {_sources(entry)}{tools})"


def _done(entry: Entry, tool: str, called: Collection[str], writes: Collection[str]) -> str:
    """Say what a tool does of a plan: all of it only where it makes all of the plan's writes."""
    left = [name for name in entry.signature if name in writes and name not in called]
    if not left:
        return f"done by the tool {tool}"
    covered = [str(at) for at, name in enumerate(entry.signature, start=1) if name in called]
    steps = f"step{'s' * (len(covered) != 1)} {', '.join(covered)}" if covered else "none of its steps"
    return f"the tool {tool} does {steps}, and not {', '.join(dict.fromkeys(left))}"


def _sources(entry: Entry) -> str:
    named = list(dict.fromkeys([*(item.task_id for item in entry.evidence), *entry.sources])) or [entry.source]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"from {', '.join(named[:_NAMED])}{more}"
