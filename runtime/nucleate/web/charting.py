"""Charts as data: the browser draws them, and a table says the same to whoever cannot see them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """One series: its values, None where there is none; `dots`, `line`, `step` or `rule`; a colour of the palette."""

    name: str
    values: Sequence[float | None]
    shape: str
    colour: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart over numbers or, where `times`, over moments in seconds."""

    title: str
    unit: str
    across: str
    at: Sequence[float]
    lines: Sequence[Series]
    times: bool = False
    top: float | None = None

    @property
    def data(self) -> str:
        """Return what the browser draws."""
        series = [{"name": line.name, "shape": line.shape, "colour": line.colour} for line in self.lines]
        values = [list(self.at), *(list(line.values) for line in self.lines)]
        return json.dumps({"series": series, "data": values, "times": self.times, "top": self.top})

    @property
    def rows(self) -> list[list[float | None]]:
        """Return the newest figures, one row for each place on the axis."""
        columns = [self.at, *(line.values for line in self.lines)]
        return [list(row) for row in zip(*(column[-60:] for column in columns), strict=True)]


def moving_mean(values: Sequence[float], window: int) -> list[float]:
    """Return at each place the mean of the latest values up to there."""
    return [
        sum(part) / len(part)
        for place in range(len(values))
        if (part := values[max(0, place - window + 1) : place + 1])
    ]
