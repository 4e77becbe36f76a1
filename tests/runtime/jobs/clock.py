"""A clock that tests move, and an engine whose database has every table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """Says the moment that it was set to."""

    moment: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **amount: float) -> None:
        """Let time pass; a negative amount is a clock that was set back."""
        self.moment += timedelta(**amount)
