"""Where the boxes of a dependency graph stand: one column for each step of calling, callers on the left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CHARACTER, HEIGHT, GAP, BETWEEN, MARGIN = 7.3, 24, 10, 70, 16  # pixels, for 12 px of a monospaced face
_SWEEPS = 4


def columns_of(keys: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return keys by the longest way from a caller that nobody calls; `keys` has callers first, functions last."""
    callers: dict[str, list[str]] = {key: [] for key in keys}
    for caller, called in edges:
        callers[called].append(caller)
    column: dict[str, int] = {}
    for key in keys:
        column[key] = max((column[caller] + 1 for caller in callers[key]), default=0)
    last = max((column[key] for key in keys), default=0)
    column |= {key: last for key in keys if key.startswith("env.")}
    return [[key for key in keys if column[key] == number] for number in range(last + 1)]


def ordered(columns: list[list[str]], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the columns with neighbours close to each other: each key at the mean height of those that it touches."""
    touching: dict[str, list[str]] = {key: [] for column in columns for key in column}
    for caller, called in edges:
        touching[caller].append(called)
        touching[called].append(caller)
    for _sweep in range(_SWEEPS):
        heights = {key: float(place) for column in columns for place, key in enumerate(column)}
        means = {key: _mean([heights[other] for other in others], heights[key]) for key, others in touching.items()}
        columns = [sorted(column, key=lambda key: (means[key], key)) for column in columns]
    return columns


def _mean(values: Sequence[float], alone: float) -> float:
    return sum(values) / len(values) if values else alone


def places_of(columns: Sequence[Sequence[str]], texts: Mapping[str, str]) -> dict[str, tuple[float, float, float]]:
    """Return x, y and width of every box; the columns are centred on each other."""
    tallest = max((len(column) for column in columns), default=0)
    places: dict[str, tuple[float, float, float]] = {}
    x = float(MARGIN)
    for column in columns:
        width = max((len(texts[key]) for key in column), default=0) * CHARACTER + 16
        y = MARGIN + (tallest - len(column)) * (HEIGHT + GAP) / 2
        for key in column:
            places[key] = (x, y, width)
            y += HEIGHT + GAP
        x += width + BETWEEN
    return places
