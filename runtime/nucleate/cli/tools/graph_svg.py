"""A dependency graph as SVG: one column for each step of calling, callers on the left, environment functions last."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from nucleate.shown.graph_layout import HEIGHT, MARGIN, columns_of, ordered, places_of
from nucleate_tool_library.reading.graphs import Graph

_FILLS = {"active": "#d9f2d9", "candidate": "#fff3c4", "canary": "#d4ecf7", "suspect": "#f8d0cd", "function": "#ededed"}


@dataclass(frozen=True, kw_only=True)
class _Box:
    text: str
    kind: str


def svg(graph: Graph) -> str:
    """Return the picture; it needs no other program."""
    boxes, edges = _boxes(graph)
    columns = ordered(columns_of(list(boxes), edges), edges)
    places = places_of(columns, {key: box.text for key, box in boxes.items()})
    width = max((x + w for x, _y, w in places.values()), default=0) + MARGIN
    height = max((y + HEIGHT for _x, y, _w in places.values()), default=0) + MARGIN
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


def _curve(start: tuple[float, float, float], stop: tuple[float, float, float]) -> str:
    x, y = start[0] + start[2], start[1] + HEIGHT / 2
    to_x, to_y = stop[0], stop[1] + HEIGHT / 2
    bend = (to_x - x) / 2
    return (
        f'<path d="M{x:.1f},{y:.1f} C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}" '
        'fill="none" stroke="#888"/>'
    )


def _drawn(box: _Box, place: tuple[float, float, float]) -> str:
    x, y, width = place
    corner = HEIGHT / 2 if box.kind == "function" else 3
    fill = _FILLS.get(box.kind, "#f4e3f4")
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT}" rx="{corner}" fill="{fill}" '
        f'stroke="#666"/><text x="{x + 8:.1f}" y="{y + 16:.1f}">{escape(box.text)}</text>'
    )
