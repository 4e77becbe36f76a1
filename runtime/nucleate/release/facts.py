"""Makes tools suspect when what they rest on is no longer believed: their plan, or a fact about a function."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from nucleate.release.marking import IN_USE, mark
from nucleate.services import Services
from nucleate_text_memory import Entry, EntryStatus, Kind
from nucleate_text_memory.contents import FactContent
from nucleate_tool_library import Tool


class FactWatch:
    """Asks the memory before each call whether an entry has ended since the last one, in whichever process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._seen = 0
        self._lock = threading.Lock()

    def look(self) -> tuple[str, ...]:
        """Mark the tools that rest on entries which have ended, and return their names."""
        with self._lock:
            newest, ended = self._services.memory.ended(self._seen)
            marked = [name for scope in {entry.scope: None for entry in ended} for name in self._follow(scope, ended)]
            self._seen = newest
        return tuple(marked)

    def _follow(self, scope: str, ended: Sequence[Entry]) -> tuple[str, ...]:
        """Mark the tools of a scope under the latest of the entries that they rest on."""
        here = [entry for entry in ended if entry.scope == scope]
        tools = self._services.library.tools(scope=scope, states=IN_USE)
        resting = ((tool, entry) for entry in here for tool in tools if rests_on(tool, entry))
        hit = {tool.name: entry for tool, entry in resting if self._later(tool, entry)}
        return tuple(marked for name, entry in hit.items() for marked in self._mark(name, entry))

    def _mark(self, name: str, entry: Entry) -> tuple[str, ...]:
        return mark(self._services, [(name, _why(entry))], scope=entry.scope, by=f"memory:{entry.id}")

    def _later(self, tool: Tool, entry: Entry) -> bool:
        """Return whether the entry ended after the latest event of the tool's life: else the tool was judged since."""
        latest = self._services.library.history(tool.name, tool.scope)[-1].at
        return entry.retired_at is None or entry.retired_at > latest


def rests_on(tool: Tool, entry: Entry) -> bool:
    """Return whether a tool depends on an entry: its plan, or a fact that names a function which the tool calls."""
    if entry.kind is Kind.PLAN:
        replaced = entry.status is EntryStatus.SUPERSEDED  # another plan goes on in its place, with its tools
        return not replaced and (tool.plan_id == entry.id or tool.name in entry.implements)
    named = {*entry.signature, entry.content.subject if isinstance(entry.content, FactContent) else ""}
    text = f"{entry.title}\n{entry.body}"
    return entry.kind is Kind.FACT and any(
        function in named or f"`{function}`" in text for function in tool.version.capabilities
    )


def _why(entry: Entry) -> str:
    reason = f" ({entry.why})" if entry.why else ""
    return f"the {entry.kind.value} {entry.id} was {entry.status.value}{reason}: {entry.title}"
