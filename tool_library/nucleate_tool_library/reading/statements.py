"""Plain SQL: whoever has a connection runs it, so that a command that only looks need not import SQLAlchemy.

The statements are SQL that SQLite and PostgreSQL both know, with values by name. A time may come back as SQLite keeps
it, as text; a truth value as a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

_PART = 500  # variables in one statement; SQLite's oldest limit is 999


class StatementRunner(Protocol):
    """Runs a statement with its values; a list stands where the statement says `IN :name`. Rows have their columns."""

    def __call__(self, statement: str, **values: object) -> Sequence[Any]: ...


def parts(ids: Sequence[str]) -> Iterable[Sequence[str]]:
    """Return ids in portions that one statement takes."""
    return (list(ids[start : start + _PART]) for start in range(0, len(ids), _PART))


def moment(value: datetime | str) -> datetime:
    """Return a stored moment with its zone, which SQLite does not keep: UTC."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
