"""Selects text entries and tools for a query (Metis §3.1, steps 1 and 2), without a language model."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_text_memory import Entry, TextMemory
from nucleate_tool_library import State, ToolLibrary, ToolVersion


class Selector:
    """Ranks tools by signature and docstring, never by body; a selected plan makes its implementations eligible."""

    def __init__(self, memory: TextMemory, library: ToolLibrary, *, limit: int) -> None:
        self._memory = memory
        self._library = library
        self._limit = limit

    def entries(self, query: str, *, scope: str) -> Sequence[Entry]:
        """Return the entries of a scope that fit a query best, best first."""
        if scope not in self._memory.scopes():
            return ()
        return [item.entry for item in self._memory.select(query, scope=scope, limit=self._limit)]

    def tools(self, query: str, *, scope: str, states: Sequence[State]) -> tuple[ToolVersion, ...]:
        """Return the versions selected for a query, closed under dependencies, dependencies first."""
        usable = {tool.name: tool.version for tool in self._library.tools(scope=scope, states=states)}
        if not usable:
            return ()
        planned = [name for entry in self.entries(query, scope=scope) for name in entry.implements]
        documents = {name: f"{item.signature.text}\n{item.signature.doc}" for name, item in usable.items()}
        ranked = [name for name, _score in self._memory.rank(query, documents)]
        chosen = list(dict.fromkeys([*ranked[: self._limit], *(name for name in planned if name in usable)]))
        return self._library.close([usable[name].id for name in chosen])
