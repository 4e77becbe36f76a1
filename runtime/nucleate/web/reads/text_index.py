"""Searches as somebody types: names and titles in memory, each read once, since what they stand for never changes."""

from __future__ import annotations

import heapq
import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from sqlalchemy import Engine
from sqlmodel import col, func

from nucleate.web.reads.selecting import select
from nucleate_text_memory.tables import EntryRow
from nucleate_tool_library.tables import ReleaseRow, ToolRow, ToolVersionRow

MOST_HITS = 400
MOST_TOOLS = 160
_PART = 500


class ToolNames:
    """The names and one-line descriptions of the tools in force; a version's own line is read once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lines: dict[str, str] = {}
        self._tools: list[tuple[str, str, int]] = []
        self._revision = -1
        self._lock = threading.Lock()

    def search(self, query: str) -> list[int]:
        """Return the ids of the tools that hold every word, those with the words in their name first."""
        words = query.lower().split()
        with self._lock:
            self._refresh()
            tools = self._tools
        hits = [(name, id_) for text, name, id_ in tools if _holds(text, words)]
        best = heapq.nsmallest(MOST_TOOLS, hits, key=lambda hit: (_rank(hit[0], words), hit[0]))
        return [id_ for _name, id_ in best]

    def _refresh(self) -> None:
        with self._engine.begin() as connection:
            revision = connection.scalar(select(func.max(ReleaseRow.id))) or 0
            if revision == self._revision:
                return
            rows = connection.execute(select(ToolRow.name, ToolRow.version_id, ToolRow.id)).all()
            missing = [version for _name, version, _id in rows if version not in self._lines]
            for part in _parts(missing):
                query = select(ToolVersionRow.id, ToolVersionRow.summary).where(col(ToolVersionRow.id).in_(part))
                self._lines |= {key: summary.lower() for key, summary in connection.execute(query)}
        self._tools = [
            (f"{name.lower()}\n{self._lines.get(version, '')}", name.lower(), id_ or 0) for name, version, id_ in rows
        ]
        self._revision = revision


class EntryTitles:
    """The titles of all entries as one text, newest last. What was forgotten since is not found: the row says so."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._positions: list[int] = []
        self._starts: list[int] = []
        self._text = "\n"
        self._lock = threading.Lock()

    def search(self, query: str) -> list[int]:
        """Return the positions of the newest entries whose title holds every word."""
        words = sorted(query.lower().split(), key=len, reverse=True)
        with self._lock:
            self._refresh()
            return self._newest(words) if words else []

    def _newest(self, words: Sequence[str]) -> list[int]:
        """Look for the longest word from the end on, and at each place for the others."""
        found, stop = list[int](), len(self._text)
        while len(found) < MOST_HITS and (place := self._text.rfind(words[0], 0, stop)) >= 0:
            stop = self._text.rfind("\n", 0, place)
            if _holds(self._text[stop : self._text.find("\n", place)], words):
                found.append(self._positions[bisect_right(self._starts, place) - 1])
        return found

    def _refresh(self) -> None:
        last = self._positions[-1] if self._positions else -1
        query = select(EntryRow.position, EntryRow.title).where(col(EntryRow.position) > last)
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(col(EntryRow.position))).all()
        lines = [" ".join(title.lower().split()) + "\n" for _position, title in rows]
        self._positions += [position for position, _title in rows]
        self._starts += accumulate((len(line) for line in lines[:-1]), initial=len(self._text)) if lines else ()
        self._text += "".join(lines)


def _holds(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def _rank(name: str, words: Sequence[str]) -> int:
    if not words or name == words[0]:
        return 0
    return 1 if name.startswith(words[0]) else 2 if all(word in name for word in words) else 3


def _parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    return (ids[start : start + _PART] for start in range(0, len(ids), _PART))
