"""The life cycle of a tool (Agent Experience OS §10): transitions, what each state permits, and changes as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nucleate_tool_library.values import State, Tool

LEGAL: dict[State, frozenset[State]] = {
    State.DRAFT: frozenset({State.CANDIDATE, State.ARCHIVED}),
    State.CANDIDATE: frozenset({State.CANARY, State.ACTIVE, State.SUSPECT, State.ARCHIVED}),
    State.CANARY: frozenset({State.CANDIDATE, State.ACTIVE, State.SUSPECT, State.ARCHIVED}),
    State.ACTIVE: frozenset({State.SUSPECT, State.DEPRECATED, State.ARCHIVED}),
    State.SUSPECT: frozenset({State.CANDIDATE, State.CANARY, State.ACTIVE, State.DEPRECATED, State.ARCHIVED}),
    State.DEPRECATED: frozenset({State.ACTIVE, State.SUSPECT, State.ARCHIVED}),
    State.ARCHIVED: frozenset({State.CANDIDATE}),
}

# A new tool may be built on these; a deprecated tool still serves those that are built on it already.
DEPENDABLE = frozenset({State.CANDIDATE, State.CANARY, State.ACTIVE})
LOADABLE = DEPENDABLE | {State.DEPRECATED}


@dataclass(frozen=True, kw_only=True)
class Release:
    """One event: the tool is in a state, at a version, because somebody said so. `was` is None for its first.

    `action` says what was done: registered, replaced, moved (to another state), rolled back, relinked (to a new version
    of what it calls), pinned, unpinned, alias, alias removed, renamed, merged, split, archived or revived.
    """

    number: int
    version_id: str
    was: State | None
    now: State
    by: str
    why: str
    at: datetime
    release: str = "1.0.0"
    action: str = "moved"


@dataclass(frozen=True, kw_only=True)
class Dependent:
    """A tool that calls another one, directly (`depth` 1) or through others.

    After a change: whether it `follows` to the new version, or why it keeps the one that it calls.
    """

    name: str
    scope: str
    state: State
    release: str
    depth: int
    pinned: bool = False
    follows: bool = False
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class ChangeEvent:
    """One event that a change wrote, or would write."""

    tool: str
    scope: str
    event: Release


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change as it was made, or would be: the tool as it then is, who calls it, every event, every new alias."""

    action: str
    tool: Tool
    dependents: tuple[Dependent, ...] = ()
    effects: tuple[ChangeEvent, ...] = ()
    aliases: dict[str, str]
