"""What modules of the product import, read from their sources: own modules, and packages of others."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

OWN = ("nucleate", "nucleate_codifier", "nucleate_sandbox", "nucleate_text_memory", "nucleate_tool_library")


@cache
def imported(module: str) -> frozenset[str]:
    """Return the dotted names that a module imports, at its head or in a function, but not for its types alone."""
    path = _path(module)
    if path is None:
        return frozenset()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return frozenset(_names(ast.parse(path.read_text(encoding="utf-8")), package))


def reached(modules: Iterable[str]) -> frozenset[str]:
    """Return these modules with all of ours that they import, directly or not."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found and _path(module) is not None:
            found.add(module)
            waiting += [name for name in imported(module) if _own(name)]
    return frozenset(found)


def distributions(modules: Iterable[str]) -> frozenset[str]:
    """Return the names of the packages of others that these modules import, as they are installed by."""
    roots = {name.partition(".")[0] for module in modules for name in imported(module)}
    others = roots - set(OWN) - sys.stdlib_module_names
    known = packages_distributions()
    return frozenset(name.lower().replace("_", "-") for root in others for name in known.get(root, ()))


def modules_of(package: str) -> frozenset[str]:
    """Return every module of one of our packages."""
    path = _path(package)
    assert path is not None, package
    files = (item.relative_to(path.parent).with_suffix("") for item in path.parent.rglob("*.py"))
    return frozenset(".".join([package, *item.parts]).removesuffix(".__init__") for item in files)


def _names(tree: ast.Module, package: str) -> Iterator[str]:
    for node in _nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parts, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and _is_for_types(node.test):
            for other in node.orelse:
                yield from (other, *_nodes(other))
            continue
        yield node
        yield from _nodes(node)


def _is_for_types(test: ast.expr) -> bool:
    return any("TYPE_CHECKING" in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in ast.walk(test))


def _own(name: str) -> bool:
    return name.partition(".")[0] in OWN


@cache
def _path(module: str) -> Path | None:
    if not _own(module):
        return None
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, AttributeError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None
