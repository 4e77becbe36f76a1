"""What every format of recordings has: it reads texts one at a time, and may hold back what is not finished."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeAlias

from nucleate_text_memory.recordings.calls_read import CallsRead
from nucleate_text_memory.recordings.happenings import Happening
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.names_in_use import NamesInUse
from nucleate_text_memory.recordings.sessions import AgentSession
from nucleate_text_memory.values import Json, JsonObject, Trajectory

_EXCERPT = 120

Tools: TypeAlias = Callable[[str, list[Json]], None]


@dataclass(frozen=True, kw_only=True)
class BadLine:
    """A line that is no trajectory: its number, why, and how it begins."""

    number: int
    message: str
    excerpt: str


Read: TypeAlias = Iterable[Trajectory | BadLine]


def ignore_tools(_environment: str, _tools: list[Json]) -> None:
    """Forget the definitions of functions."""


@dataclass(frozen=True, kw_only=True)
class SharedReading:
    """What several recordings share: names of functions, what was left out, which lines of which session were read."""

    names: NamesInUse = field(default_factory=NamesInUse)
    left_out: Counter[str] = field(default_factory=Counter)
    read: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    calls: CallsRead = field(default_factory=CallsRead)


@dataclass(frozen=True, kw_only=True)
class RecordingSource:
    """Where texts come from: the environment asked for, a name for tasks without one, who is told of definitions.

    `kept` is shared by the recordings that are read together.
    """

    environment: str | None = None
    fallback: str | None = None
    name: str = "session"
    tools: Tools = ignore_tools
    kept: SharedReading = field(default_factory=SharedReading)

    def session(self, name: str, *, environment: str, meta: JsonObject) -> AgentSession:
        """Return a session that counts what it leaves out, and names functions, as all readers of this source do."""
        kept = self.kept
        return AgentSession(
            name, environment=environment, meta=meta, names=kept.names, left_out=kept.left_out, calls=kept.calls
        )

    def leave_out(self, what: str, count: int = 1) -> None:
        """Count what no task holds."""
        if count:
            self.kept.left_out[what] += count

    def scope(self, own: str | None = None) -> str:
        """Return the environment: the one asked for, the recording's own, the fallback."""
        scope = self.environment or own or self.fallback
        if not scope:
            raise LineFault("the line names no environment; give one with --environment")
        return scope


UNREADABLE = "events that could not be read"


def readable(source: RecordingSource, found: Iterable[Happening]) -> Iterator[Happening]:
    """Yield what happened up to what cannot be read, which is counted: for readers that gather until the end."""
    try:
        yield from found
    except LineFault:
        source.leave_out(UNREADABLE)


class Reader(Protocol):
    """Reads one recording."""

    def read(self, number: int, text: str) -> Read:
        """Yield what a text completes; LineFault or ValueError where it cannot be read."""
        ...

    def end(self) -> Read:
        """Yield what was not finished."""
        ...


def bad_line(number: int, message: str, text: str) -> BadLine:
    """Return a report of a text that could not be read."""
    return BadLine(number=number, message=message, excerpt=text[:_EXCERPT].encode("utf-8", "replace").decode())


def loads(text: str) -> dict[str, Any]:
    """Return the object that a line holds, as strangers write it; LineFault where it is none."""
    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise LineFault(f"not JSON: {error.msg} at column {error.colno}") from error
    return an_object(value)


def an_object(value: Any) -> dict[str, Any]:
    """Return a value that is a JSON object; LineFault for every other."""
    if not isinstance(value, dict):
        raise LineFault(f"a JSON object is needed, not {type(value).__name__}")
    return value


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities."""
    raise LineFault(f"{name} is not JSON; write a number or null")
