"""The dependency graph of one tool, every tool in it a link: callers on the left, functions on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from nucleate.shown.graph_layout import HEIGHT, MARGIN, columns_of, ordered, places_of
from nucleate_tool_library.reading.graphs import Graph, Node

MOST = 80


@dataclass(frozen=True, kw_only=True)
class DrawnBox:
    """One box: a tool or a function of the environment."""

    text: str
    kind: str
    address: str
    x: float
    y: float
    width: float
    root: bool = False


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """The picture: boxes and curves, and how many tools had no room in it."""

    width: float
    height: float
    boxes: Sequence[DrawnBox]
    curves: Sequence[str]
    left_out: int = 0


def draw_graph(below: Graph, above: Graph) -> Drawing:
    """Return the picture of what a tool calls and of what calls it."""
    nodes = {node.id: node for node in (*below.nodes, *above.nodes)}
    kept = _kept(nodes, below, above)
    edges = [edge for edge in dict.fromkeys((*below.edges, *above.edges)) if {*edge} <= kept.keys()]
    root = below.root
    functions = [(root, f"env.{name}") for name in kept[root].functions] if root in kept else []
    functions += [(node.id, f"env.{name}") for node in kept.values() for name in node.functions if node.id != root]
    functions = [edge for edge in dict.fromkeys(functions) if edge[0] in {node.id for node in below.nodes}][:MOST]
    every = [(str(caller), called) for caller, called in (*edges, *functions)]
    keys = [*_callers_first(kept, edges), *dict.fromkeys(called for _caller, called in functions)]
    texts = {key: _text(kept[key]) if key in kept else key for key in keys}
    columns = ordered(columns_of(keys, every), every)
    places = places_of(columns, texts)
    boxes = [
        DrawnBox(
            text=texts[key],
            kind=kept[key].state.value if key in kept else "function",
            address=_address(kept[key]) if key in kept else "",
            x=x,
            y=y,
            width=width,
            root=key == root,
        )
        for key, (x, y, width) in places.items()
    ]
    return Drawing(
        width=max((x + width for x, _y, width in places.values()), default=0) + MARGIN,
        height=max((y + HEIGHT for _x, y, _w in places.values()), default=0) + MARGIN,
        boxes=boxes,
        curves=[_curve(places[caller], places[called]) for caller, called in every],
        left_out=len(nodes) - len(kept),
    )


def _kept(nodes: dict[str, Node], below: Graph, above: Graph) -> dict[str, Node]:
    """Return the tool itself and its nearest neighbours, as many as there is room for."""
    if len(nodes) <= MOST:
        return nodes
    near: dict[str, list[str]] = {key: [] for key in nodes}
    for caller, called in (*below.edges, *above.edges):
        near[caller].append(called)
        near[called].append(caller)
    order, front = dict.fromkeys([str(below.root)]), [str(below.root)]
    while front and len(order) < MOST:
        front = [other for key in front for other in near.get(key, ()) if other not in order]
        order |= dict.fromkeys(front[: MOST - len(order)])
    return {key: nodes[key] for key in order if key in nodes}


def _callers_first(kept: dict[str, Node], edges: Sequence[tuple[str, str]]) -> list[str]:
    callers: dict[str, set[str]] = {key: set() for key in kept}
    for caller, called in edges:
        callers[called].add(caller)
    order: list[str] = []
    while len(order) < len(kept):
        ready = [key for key in kept if key not in order and callers[key] <= {*order}]
        order += ready or [key for key in kept if key not in order]
    return order


def _text(node: Node) -> str:
    return f"{node.name} {node.release if node.in_force else node.id[:8] + ', older'}"


def _address(node: Node) -> str:
    return f"/tools/{quote(node.name, safe='')}/graph?{urlencode({'scope': node.scope})}"


def _curve(start: tuple[float, float, float], stop: tuple[float, float, float]) -> str:
    x, y = start[0] + start[2], start[1] + HEIGHT / 2
    to_x, to_y = stop[0], stop[1] + HEIGHT / 2
    bend = (to_x - x) / 2
    return f"M{x:.1f},{y:.1f} C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"
