"""`recall(hint)`: more of what is known than the prompt holds; bounded, and the same answer to the same hint."""

from __future__ import annotations

import threading
from collections.abc import Container

from nucleate.manager import Choice, Manager
from nucleate.manager.rendering import render_entries

MOST, TOKENS = 8, 1_000
NOTHING = "nothing else is known about that"


class Recalls:
    """Answers the hints of one run. What the prompt holds already is not said again.

    `tools` are the names that can be called in the run; a plan names no other.
    """

    def __init__(self, manager: Manager, *, scope: str, given: Choice, tools: Container[str] = ()) -> None:
        self._manager = manager
        self._scope = scope
        self._tools = tools
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
        found = [item.entry for item in self._manager.entries(hint, scope=self._scope)]
        guidance = render_entries(
            [entry for entry in found if entry.id not in self._given], budget=TOKENS, callable_=self._tools
        )
        ids = [entry.id for entry in guidance.entries]
        self.ids += ids
        self._given |= set(ids)
        return guidance.text or NOTHING
