"""The memory manager (Metis §3.4): text and tools for a task, chosen jointly, closed, rendered within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate.manager.asking import ask
from nucleate.manager.choice import Choice, ChosenEntry, ChosenTool
from nucleate.manager.index import Found, ToolIndex
from nucleate.manager.rendering import render_entries
from nucleate_codifier.chat import ChatModel
from nucleate_text_memory import TextMemory
from nucleate_tool_library import State, ToolLibrary, ToolVersion

THRESHOLD = 0.5


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How much is looked at and given; `text` and `code` say which of the two memories is used (ALGORITHMS §2)."""

    entries: int = 8
    tools: int = 8
    tokens: int = 2_000
    text: bool = True
    code: bool = True


class Manager:
    """Chooses from one text memory and one library. Nothing here is written, but for `used`."""

    def __init__(self, memory: TextMemory, library: ToolLibrary, index: ToolIndex, *, rules: Rules = Rules()) -> None:
        self._memory = memory
        self._library = library
        self._index = index
        self._rules = rules

    def choose(
        self, query: str, *, scope: str, states: Sequence[State] = (State.ACTIVE,), model: ChatModel | None = None
    ) -> Choice:
        """Return what a task is given: by a model's joint choice, or without one what scores above the threshold."""
        usable = self._usable(scope, states) if self._rules.code else {}
        entries = self.entries(query, scope=scope) if self._rules.text else ()
        tools = self._candidates(query, usable, entries)
        if model is None or not (entries or tools):
            return self._closed(entries, _fitting(tools))
        answer = ask(model, query, [item.entry for item in entries], [item.version for item in tools])
        if answer.picks is None:
            return replace(self._closed(entries, _fitting(tools)), replies=answer.replies)
        entries, tools = _picked(answer.picks, entries, tools)
        return replace(self._closed(entries, tools), by=model.name, replies=answer.replies)

    def entries(self, query: str, *, scope: str, limit: int | None = None) -> tuple[ChosenEntry, ...]:
        """Return the entries of a scope that fit a query best, best first."""
        if scope not in self._memory.scopes():
            return ()
        found = self._memory.select(query, scope=scope, limit=limit or self._rules.entries)
        reasons = (", ".join(reason.primitive for reason in item.reasons) for item in found)
        return tuple(
            ChosenEntry(entry=item.entry, score=item.score, reason=reason)
            for item, reason in zip(found, reasons, strict=True)
        )

    def search_tools(
        self, query: str, *, scope: str, states: Sequence[State] = (State.ACTIVE,), limit: int = 8
    ) -> tuple[Found, ...]:
        """Return the tools that answer a query best, fitting or not: for somebody who looks for one."""
        return self._index.search(query, list(self._usable(scope, states).values()), limit=limit)

    def used(self, ids: Iterable[str]) -> None:
        """Count that entries were given to an agent: one short transaction."""
        wanted = tuple(dict.fromkeys(ids))
        if wanted:
            self._memory.used(wanted)

    def _usable(self, scope: str, states: Sequence[State]) -> dict[str, ToolVersion]:
        return {tool.name: tool.version for tool in self._library.tools(scope=scope, states=states)}

    def _candidates(
        self, query: str, usable: Mapping[str, ToolVersion], entries: Sequence[ChosenEntry]
    ) -> tuple[ChosenTool, ...]:
        """Return the tools that may be chosen: those found, and the implementations D(p) of the plans found."""
        found = self._index.search(query, list(usable.values()), limit=self._rules.tools)
        ranked = {
            item.version.name: ChosenTool(version=item.version, score=item.score, reason="fits") for item in found
        }
        for item in entries:
            for name in item.entry.implements:
                if name in usable:
                    known = ranked.get(name)
                    score = max(item.score, known.score if known else 0.0)
                    ranked[name] = ChosenTool(version=usable[name], score=score, reason=f"does {item.entry.id}")
        return tuple(sorted(ranked.values(), key=lambda item: -item.score))

    def _closed(self, entries: Sequence[ChosenEntry], tools: Sequence[ChosenTool]) -> Choice:
        """Close the tools under their calls (Metis §3.5), and render the entries that fit into the budget."""
        guidance = render_entries([item.entry for item in entries], budget=self._rules.tokens)
        given = {entry.id for entry in guidance.entries}
        return Choice(
            entries=tuple(item for item in entries if item.entry.id in given),
            tools=tuple(tools),
            closure=self._library.close([item.version.id for item in tools]) if tools else (),
            guidance=guidance.text,
            tokens=guidance.tokens,
        )


def _fitting(tools: Sequence[ChosenTool]) -> tuple[ChosenTool, ...]:
    return tuple(item for item in tools if item.score >= THRESHOLD)


def _picked(
    picks: Mapping[str, str], entries: Sequence[ChosenEntry], tools: Sequence[ChosenTool]
) -> tuple[tuple[ChosenEntry, ...], tuple[ChosenTool, ...]]:
    """Return what was picked, with the model's reasons."""
    return (
        tuple(replace(item, reason=picks[item.entry.id]) for item in entries if item.entry.id in picks),
        tuple(replace(item, reason=picks[item.version.name]) for item in tools if item.version.name in picks),
    )
