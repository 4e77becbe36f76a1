"""Short ways to tell a memory facts, and a clock that stands where it is put."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from nucleate_text_memory import Draft, FactContent, SourceSpan, drafted


def day(text: str) -> datetime:
    """Return midnight of a day, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def opens(value: str, *, scope: str = "shop", source: str = "user", **changes: Any) -> Draft:
    """Return the fact of when the shop opens."""
    content = FactContent(subject="Shop", predicate="opens at", value=value)
    return replace(drafted(content, scope=scope, source=source), **changes)


def seen(task: str = "t1") -> tuple[SourceSpan, ...]:
    """Return evidence in the first step of a task."""
    return (SourceSpan(task_id=task, start=0, stop=1),)


class Clock:
    """A clock that tells the day it was set to."""

    def __init__(self, today: str = "2025-01-01") -> None:
        self.today = today

    def __call__(self) -> datetime:
        return day(self.today)
