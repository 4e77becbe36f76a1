"""What was chosen for a task: entries and tools with reasons, the closed set of tools, the rendered guidance."""

from __future__ import annotations

from dataclasses import dataclass

from nucleate_codifier.chat import Reply
from nucleate_text_memory import Entry, Kind
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class ChosenEntry:
    """A text entry, how well it fits in [0, 1], and why it was chosen."""

    entry: Entry
    score: float
    reason: str


@dataclass(frozen=True, kw_only=True)
class ChosenTool:
    """A tool version, how well it fits in [0, 1], and why it was chosen."""

    version: ToolVersion
    score: float
    reason: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    """S = (S_text, S_tool) of Metis §3.1, closed. `tools` were chosen, `closure` is what is loaded: dependencies first.

    `guidance` is the text for a prompt and `tokens` its size; `by` says who chose: `scores`, or the
    model's name, with the replies that it took.
    """

    entries: tuple[ChosenEntry, ...] = ()
    tools: tuple[ChosenTool, ...] = ()
    closure: tuple[ToolVersion, ...] = ()
    guidance: str = ""
    tokens: int = 0
    by: str = "scores"
    replies: tuple[Reply, ...] = ()

    @property
    def plans(self) -> tuple[str, ...]:
        """Return the ids of the chosen plans, whose B(p) this task joins."""
        return tuple(item.entry.id for item in self.entries if item.entry.kind is Kind.PLAN)


NOTHING = Choice()
