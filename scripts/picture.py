"""Draws the house from its imports: `python -m scripts.picture` writes docs/architecture.svg; a test compares it.

A panel is a package. A room is a module (thin) or a folder (filled) right in it. What stands in a row imports only what
stands in lower rows; an arrow leads from a folder to a folder that it imports, where no other folder leads there.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import shorten

from scripts.house import FLOORS, FOLDERS, ROOT, cycles, edges, read_modules, rooms

PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, MARGIN, GAP = 1180, 16, 10
LINE, HEAD = 24, 46
PER_CHARACTER = 7.3
STYLE = (
    "text{font:12px DejaVu Sans Mono,monospace;fill:#1f2933}.t{font-size:15px;font-weight:bold}.s{fill:#52606d}"
    ".p{fill:#fbfaf7;stroke:#9aa5b1}.m{fill:#fff;stroke:#cbd2d9}.f{fill:#dbeafe;stroke:#3b6fb5}"
    "path{fill:none;stroke:#3b6fb5;stroke-width:1.2;opacity:.55}"
)


@dataclass(frozen=True, kw_only=True)
class Box:
    """One room of a panel, in pixels from the panel's corner."""

    name: str
    x: float
    y: float
    width: float
    is_folder: bool


def levels(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the row of each room, from 0 for those that import no other; the graph has no cycle."""
    found: dict[str, int] = {}

    def level(room: str) -> int:
        if room not in found:
            found[room] = 1 + max((level(other) for other in graph.get(room, ())), default=-1)
        return found[room]

    for room in sorted(graph):
        level(room)
    return found


def direct(graph: Mapping[str, set[str]], folders: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the arrows between folders, those left out that a way over another folder says already."""
    arrows = {start: graph[start] & folders for start in sorted(folders)}
    for start, targets in arrows.items():
        beyond = {far for near in targets for far in _behind(near, arrows)}
        yield from ((start, target) for target in sorted(targets - beyond))


def _behind(room: str, arrows: Mapping[str, set[str]]) -> set[str]:
    return {far for near in arrows[room] for far in {near} | _behind(near, arrows)}


def panel(package: str, graph: Mapping[str, set[str]], folders: set[str], width: float) -> tuple[str, float]:
    """Return a package's panel as SVG, and its height."""
    boxes, height = _boxes(graph, folders, width)
    place = {box.name: box for box in boxes}
    parts = [
        f'<rect class="p" width="{width:g}" height="{height:g}" rx="6"/>',
        f'<text class="t" x="12" y="22">{package}</text>',
        f'<text class="s" x="12" y="38">{escape(_first_line(package, width))}</text>',
        *(_arrow(place[start], place[end]) for start, end in direct(graph, folders)),
        *(_room(box) for box in boxes),
    ]
    return "".join(parts), height


def _boxes(graph: Mapping[str, set[str]], folders: set[str], width: float) -> tuple[list[Box], float]:
    rows = levels(graph)
    boxes: list[Box] = []
    y = float(HEAD)
    for row in range(max(rows.values()), -1, -1):
        names = sorted((name for name in graph if rows[name] == row), key=lambda name: (name not in folders, name))
        for line in _lines(names, folders, width):
            x = (width - sum(_wide(name, folders) for name in line) - GAP * (len(line) - 1)) / 2
            for name in line:
                boxes.append(Box(name=name, x=x, y=y, width=_wide(name, folders), is_folder=name in folders))
                x += _wide(name, folders) + GAP
            y += LINE + 4
        y += 2 * GAP - 4
    return boxes, y


def _lines(names: list[str], folders: set[str], width: float) -> Iterator[list[str]]:
    line: list[str] = []
    for name in names:
        if line and sum(_wide(other, folders) + GAP for other in [*line, name]) > width - 2 * MARGIN:
            yield line
            line = []
        line.append(name)
    yield line


def _wide(name: str, folders: set[str]) -> float:
    return (len(name) + (name in folders)) * PER_CHARACTER + 2 * GAP


def _room(box: Box) -> str:
    kind, shown = ("f", f"{box.name}/") if box.is_folder else ("m", box.name)
    return (
        f'<rect class="{kind}" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{LINE}" rx="4"/>'
        f'<text x="{box.x + GAP:g}" y="{box.y + 16:g}">{shown}</text>'
    )


def _arrow(start: Box, end: Box) -> str:
    x, y, to_x, to_y = start.x + start.width / 2, start.y + LINE, end.x + end.width / 2, end.y
    bend = (to_y - y) / 2
    return (
        f'<path marker-end="url(#a)" d="M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"/>'
    )


def _first_line(package: str, width: float) -> str:
    text = (FOLDERS[package] / "__init__.py").read_text(encoding="utf-8")
    return shorten(
        (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0],
        int((width - 24) / PER_CHARACTER),
        placeholder=" …",
    )


def draw() -> str:
    """Return the whole house as SVG: equal imports give equal text."""
    known = read_modules()
    every = edges(known)
    parts: list[str] = []
    y = float(MARGIN)
    for floor in FLOORS:
        width = (WIDTH - MARGIN * (len(floor) + 1)) / len(floor)
        drawn = []
        for package in floor:
            graph = {
                room: others - {"__init__"} for room, others in rooms(package, every).items() if room != "__init__"
            }
            if circles := cycles(graph):
                raise ValueError(f"{package}: {circles} import each other, so that neither can stand below the other")
            folders = {room for room in graph if known[f"{package}.{room}"].is_package}
            drawn.append(panel(package, graph, folders, width))
        for number, (text, _) in enumerate(drawn):
            parts.append(f'<g transform="translate({MARGIN + number * (width + MARGIN):g} {y:g})">{text}</g>')
        y += max(height for _, height in drawn) + MARGIN
    marker = '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" height="{y:g}">\n'
        f'<style>{STYLE}</style><defs>{marker}<path d="M0 0L8 4L0 8z" style="fill:#3b6fb5"/></marker></defs>\n'
        + "\n".join(parts).replace("<g ", "\n<g ")
        + "\n</svg>\n"
    )


def main(arguments: list[str]) -> None:
    """Write the picture to a file, that of the documentation unless another is named."""
    (Path(arguments[0]) if arguments else PICTURE).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
