"""An entry's life as bars on two axes: when it was true, and when it was believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

WIDTH = 1_000.0


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One period as a place on the axis, in thousandths of it; `open` where it has no end."""

    x: float
    width: float
    start: datetime | None
    stop: datetime | None

    @property
    def open(self) -> bool:
        """Return whether it goes on."""
        return self.stop is None


@dataclass(frozen=True, kw_only=True)
class LifeRow:
    """One version of an entry: the period in which it was believed, and the one in which it holds."""

    id: str
    known: Bar
    valid: Bar


@dataclass(frozen=True, kw_only=True)
class Life:
    """The rows, and the moments at which the axis begins and ends."""

    rows: Sequence[LifeRow]
    start: datetime
    stop: datetime


Period = tuple[str, datetime | None, datetime | None, datetime | None, datetime | None]


def lives(periods: Sequence[Period]) -> Life:
    """Return versions on one axis, from (id, recorded, retired, valid from, valid to)."""
    now = datetime.now(UTC)
    every = [at for _id, *moments in periods for at in moments if at is not None]
    start, stop = min(every, default=now), max([*every, now])
    length = max((stop - start).total_seconds(), 1.0)

    def bar(first: datetime | None, last: datetime | None) -> Bar:
        begins = ((first or start) - start).total_seconds() / length * WIDTH
        ends = ((last or stop) - start).total_seconds() / length * WIDTH
        return Bar(x=round(begins, 1), width=round(max(ends - begins, 4.0), 1), start=first, stop=last)

    rows = [
        LifeRow(id=id_, known=bar(first, last), valid=bar(begins, ends)) for id_, first, last, begins, ends in periods
    ]
    return Life(rows=rows, start=start, stop=stop)
