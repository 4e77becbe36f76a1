"""Which calls of which session are known, from this reading or from what was stored before: each counts once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping

REPEATED = "calls that another recording holds"
CALL_IDS = "call_ids"  # in a trajectory's meta
HOOKS = "hooks"
WITH_HOOKS = ("claude-code", "codex", "gemini-cli", "qwen-code", "opencode")
Stored = Callable[[], Mapping[str, Collection[str]]]


class CallsRead:
    """Call ids by session (`codex:THREAD`); what was stored is asked for once, when the first call is looked up."""

    def __init__(self, stored: Stored = dict) -> None:
        self._stored: Stored | None = stored
        self._known: defaultdict[str, set[str]] = defaultdict(set)

    def ask(self, stored: Stored) -> None:
        """Ask there for what was stored, unless that was asked for already."""
        if self._stored is not None:
            self._stored = stored

    def add(self, session: str, call: str) -> None:
        """Remember a call."""
        self._known[session].add(call)

    def has(self, sessions: Collection[str], call: str) -> bool:
        """Return whether one of the sessions made this call."""
        if self._stored is not None and sessions:
            stored, self._stored = self._stored(), None
            for session, calls in stored.items():
                self._known[session].update(calls)
        return any(call in self._known[session] for session in sessions)


def others_of(kind: str, session: str) -> list[str]:
    """Return the sessions that tell of the same calls: a program's own recording, and what it handed to hooks."""
    if kind == HOOKS:
        return [f"{program}:{session}" for program in WITH_HOOKS]
    return [f"{HOOKS}:{session}"] if kind in WITH_HOOKS else []
