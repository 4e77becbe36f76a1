"""`recall(hint)`: more of what is known than the prompt holds; bounded, and the same answer to the same hint."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from nucleate.executor.showing import tools_text
from nucleate.manager import Choice, Manager
from nucleate.manager.fit import FIT
from nucleate_text_memory import Entry
from nucleate_tool_library import ToolVersion

MOST, TOKENS = 8, 1_000
FAINTEST = FIT.entry / 2  # what fits less is noise, however much room there is
NOTHING = "nothing else is known about that"


class Recalls:
    """Answers the hints of one run. What the prompt holds already is not said again.

    `tools` are those that can be called in the run; a plan names no other.
    """

    def __init__(
        self, manager: Manager, *, scope: str, given: Choice, tools: Mapping[str, ToolVersion] | None = None
    ) -> None:
        self._manager = manager
        self._scope = scope
        self._tools = dict(tools or {})
        self._told = {item.version.name for item in given.tools}
        self._given = {item.entry.id for item in given.entries}
        self._answers: dict[str, str] = {}
        self._lock = threading.Lock()
        self.ids: list[str] = []

    def __call__(self, hint: str) -> str:
        """Return guidance for a hint."""
        key = " ".join(hint.casefold().split())
        with self._lock:
            if key not in self._answers and len(self._answers) >= MOST:
                return f"{MOST} hints were answered; work with what is known"
            if key not in self._answers:
                self._answers[key] = self._answer(hint)
            return self._answers[key]

    def _answer(self, hint: str) -> str:
        found = [item.entry for item in self._manager.entries(hint, scope=self._scope) if item.score >= FAINTEST]
        new = [entry for entry in found if entry.id not in self._given]
        guidance = self._manager.guidance(new, scope=self._scope, budget=TOKENS, tools=self._tools.values())
        ids = [entry.id for entry in guidance.entries]
        self.ids += ids
        self._given |= set(ids)
        return "\n\n".join(part for part in (guidance.text, self._named(guidance.entries)) if part) or NOTHING

    def _named(self, entries: Sequence[Entry]) -> str:
        """Return how the tools are called that the entries name and that are in scope, each told once."""
        names = [name for entry in entries for name in entry.implements if name in self._tools]
        new = [name for name in dict.fromkeys(names) if name not in self._told]
        self._told |= set(new)
        return tools_text([self._tools[name] for name in new]) if new else ""
