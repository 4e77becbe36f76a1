"""Plain SQL and its conditions: whoever has a connection runs it, so that who only looks need not import SQLAlchemy.

The statements are SQL that SQLite and PostgreSQL both know, with values by name. A time may come back as SQLite keeps
it, as text; a truth value as a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

_PART = 500  # variables in one statement; SQLite's oldest limit is 999


class QueryRunner(Protocol):
    """Runs a statement with its values; a list stands where the statement says `IN :name`. Rows have their columns."""

    def __call__(self, statement: str, **values: object) -> Sequence[Any]: ...


@dataclass(frozen=True, kw_only=True)
class EntryCondition:
    """What a row has to meet: a piece of a statement, which is always ours, and its values."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)


def where(run: QueryRunner, statement: str, conditions: Sequence[EntryCondition]) -> Sequence[Any]:
    """QueryRunner a statement that says `{conditions}` where they belong; values of one name are one value."""
    values = {name: value for condition in conditions for name, value in condition.values.items()}
    met = " AND ".join(f"({condition.text})" for condition in conditions) or "1 = 1"
    return run(statement.format(conditions=met), **values)


def parts(ids: Sequence[str]) -> list[list[str]]:
    """Return ids in portions that one statement takes."""
    return [list(ids[start : start + _PART]) for start in range(0, len(ids), _PART)]


def utc(value: datetime | str) -> datetime:
    """Return a moment in UTC, in which all are stored; one without a zone is in UTC already."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
