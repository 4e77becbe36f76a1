"""The house as its imports show it: which module imports which, what stands in a folder, and what is built on what."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# From the top of the house to its ground; two on one floor know nothing of each other.
FLOORS = (
    ("nucleate",),
    ("nucleate_codifier",),
    ("nucleate_tool_library", "nucleate_text_memory", "nucleate_sandbox"),
)
FOLDERS = {path.parent.name: path.parent for path in sorted(ROOT.glob("*/nucleate*/py.typed"))}
# Programs of their own that are carried elsewhere: nothing in them may need the rest, names included.
CARRIED = ("nucleate_sandbox.guest", "nucleate.exports.carried")


@dataclass(frozen=True, kw_only=True)
class Module:
    """One file of a package; `name` is dotted, and that of a package's `__init__` is the package's."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def is_package(self) -> bool:
        """Return whether this is an `__init__`."""
        return self.path.name == "__init__.py"

    @property
    def is_carried(self) -> bool:
        """Return whether it belongs to a program that runs elsewhere."""
        return self.name.startswith(CARRIED)


def read_modules() -> dict[str, Module]:
    """Return every module of the five packages by its dotted name."""
    found = {}
    for folder in FOLDERS.values():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = Module(name=name, path=path)
    return found


def imports_of(module: Module, known: Mapping[str, Module]) -> set[str]:
    """Return the modules that a module imports, wherever the statement stands: at the top, in a function, for types."""
    found = {target for node in ast.walk(module.tree) for target in _targets(node, module)}
    return {name for name in (_nearest(target, known) for target in found) if name and name != module.name}


def _targets(node: ast.AST, module: Module) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
        package = ".".join(above[: len(above) - node.level + 1]) if node.level else ""
        origin = ".".join(part for part in (package, node.module or "") if part)
        yield from (f"{origin}.{alias.name}" for alias in node.names)


def _nearest(target: str, known: Mapping[str, Module]) -> str | None:
    """Return the module that an imported name is, or stands in."""
    if target in known:
        return target
    holder = target.rpartition(".")[0]
    return holder if holder in known else None


def edges(known: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return what each module imports."""
    return {name: imports_of(module, known) for name, module in known.items()}


def rooms(folder: str, every: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return what each room of a folder (a module in it, or a folder with all that it holds) imports of the others."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, imported in every.items():
        room = _room(name, folder)
        if room is None:
            continue
        others = {other for other in (_room(target, folder) for target in imported) if other is not None}
        found[room] |= others - {room}
    return dict(found)


def _room(name: str, folder: str) -> str | None:
    """Return the room of a folder in which a module stands; its own `__init__` is a room of its own."""
    if name == folder:
        return "__init__"
    return name[len(folder) + 1 :].partition(".")[0] if name.startswith(f"{folder}.") else None


def cycles(graph: Mapping[str, set[str]]) -> list[tuple[str, ...]]:
    """Return the groups in which each leads to each other, by name; none where every arrow points one way."""
    reach = {start: _reached(start, graph) for start in graph}
    groups = {
        tuple(sorted({start} | {other for other in reach[start] if start in reach.get(other, ())})) for start in graph
    }
    return sorted(group for group in groups if len(group) > 1)


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in graph.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def classes(known: Mapping[str, Module]) -> dict[str, list[str]]:
    """Return where the classes of each name are defined, those of carried programs left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, module in known.items():
        if not module.is_carried:
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(name)
    return dict(found)
