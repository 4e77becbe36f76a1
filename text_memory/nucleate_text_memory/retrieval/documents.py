"""What can be found: a text with its author, time, group, scope, trust and validity; and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Document:
    """One text that can be found. `group` is what it belongs to, in order: a session, a task.

    `trust` and `value` are in [0, 1]; `related` names other documents by id. Without `valid_to` it is still valid.
    """

    id: str
    text: str
    author: str = ""
    time: datetime | None = None
    group: str = ""
    entities: tuple[str, ...] = ()
    scope: str = ""
    trust: float = 1.0
    value: float = 0.0
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    related: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Return the text with its author: what is embedded."""
        return f"{self.author}: {self.text}" if self.author else self.text

    @property
    def shown(self) -> str:
        """Return the text with its time and author: what an evidence view shows, and what its tokens are counted of."""
        return f"[{self.time:%Y-%m-%d %H:%M}] {self.said}" if self.time else self.said

    def valid_at(self, moment: datetime | None) -> bool:
        """Return whether it is true at a moment; without one, whether its validity is still open."""
        if moment is None:
            return self.valid_to is None
        begun = self.valid_from is None or self.valid_from <= moment
        return begun and (self.valid_to is None or moment < self.valid_to)


@dataclass(frozen=True, kw_only=True)
class Query:
    """What is asked, in one scope. `at` is the moment for which the answer must be valid (default: still valid)."""

    text: str
    scope: str = ""
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why a document is there: which primitive brought or scored it, how high, and what it matched."""

    primitive: str
    score: float
    why: str
