"""A dependency graph as SVG: one column for each step of calling, callers on the left, environment functions last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from nucleate_tool_library.graphs import Graph

_CHARACTER, _HEIGHT, _GAP, _BETWEEN, _MARGIN = 7.3, 24, 10, 70, 16  # pixels, for 12 px of a monospaced face
_FILLS = {"active": "#d9f2d9", "candidate": "#fff3c4", "canary": "#d4ecf7", "suspect": "#f8d0cd", "function": "#ededed"}
_SWEEPS = 4


@dataclass(frozen=True, kw_only=True)
class _Box:
    text: str
    kind: str


def svg(graph: Graph) -> str:
    """Return the picture; it needs no other program."""
    boxes, edges = _boxes(graph)
    columns = _ordered(_columns(list(boxes), edges), edges)
    places = _places(columns, boxes)
    width = max((x + w for x, _y, w in places.values()), default=0) + _MARGIN
    height = max((y + _HEIGHT for _x, y, _w in places.values()), default=0) + _MARGIN
    lines = [_curve(places[caller], places[called]) for caller, called in edges]
    drawn = [_drawn(boxes[key], place) for key, place in places.items()]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="12">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *lines, *drawn, "</svg>"]) + "\n"


def _boxes(graph: Graph) -> tuple[dict[str, _Box], list[tuple[str, str]]]:
    boxes, edges = dict[str, _Box](), list(graph.edges)
    for node in reversed(graph.nodes):
        mark = node.release if node.in_force else f"{node.id[:8]}, older"
        boxes[node.id] = _Box(text=f"{node.name} {mark}", kind=node.state.value)
        edges += [(node.id, f"env.{name}") for name in node.functions]
    for _caller, called in edges:
        if called.startswith("env."):
            boxes.setdefault(called, _Box(text=called, kind="function"))
    return boxes, edges


def _columns(keys: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
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


def _ordered(columns: list[list[str]], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
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


def _places(columns: Sequence[Sequence[str]], boxes: Mapping[str, _Box]) -> dict[str, tuple[float, float, float]]:
    """Return x, y and width of every box; the columns are centred on each other."""
    tallest = max((len(column) for column in columns), default=0)
    places: dict[str, tuple[float, float, float]] = {}
    x = float(_MARGIN)
    for column in columns:
        width = max((len(boxes[key].text) for key in column), default=0) * _CHARACTER + 16
        y = _MARGIN + (tallest - len(column)) * (_HEIGHT + _GAP) / 2
        for key in column:
            places[key] = (x, y, width)
            y += _HEIGHT + _GAP
        x += width + _BETWEEN
    return places


def _curve(start: tuple[float, float, float], stop: tuple[float, float, float]) -> str:
    x, y = start[0] + start[2], start[1] + _HEIGHT / 2
    to_x, to_y = stop[0], stop[1] + _HEIGHT / 2
    bend = (to_x - x) / 2
    return (
        f'<path d="M{x:.1f},{y:.1f} C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}" '
        'fill="none" stroke="#888"/>'
    )


def _drawn(box: _Box, place: tuple[float, float, float]) -> str:
    x, y, width = place
    corner = _HEIGHT / 2 if box.kind == "function" else 3
    fill = _FILLS.get(box.kind, "#f4e3f4")
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_HEIGHT}" rx="{corner}" fill="{fill}" '
        f'stroke="#666"/><text x="{x + 8:.1f}" y="{y + 16:.1f}">{escape(box.text)}</text>'
    )
