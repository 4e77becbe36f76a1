"""Renames a tool inside source text, and nothing else in it: comments and layout stay as they are."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Mapping

from nucleate_tool_library.errors import LibraryError

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TAKEN = frozenset({*dir(builtins), *keyword.softkwlist, "env", "tool"})


def check_name(name: str) -> None:
    """Raise LibraryError for what cannot name a tool."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name) or name in TAKEN:
        raise LibraryError(
            f"{name!r} is no name for a tool; use up to 40 lower-case letters, digits and '_', a letter first, "
            "and no name that Python or the environment has already"
        )


def function_renamed(source: str, old: str, new: str) -> str:
    """Return a tool's module with its public function, and its calls of itself, under a new name."""
    if _binds(source, new) or _reads(source, new):
        raise LibraryError(f"the module of {old!r} uses the name {new!r} itself; choose another name")
    if _bindings(source, old) != 1:
        raise LibraryError(f"the module of {old!r} gives that name to something else too; rename it in the source")
    return _renamed(source, {old: new})


def calls_renamed(source: str, names: Mapping[str, str]) -> str | None:
    """Return a module that calls tools by their new names; None where it gives one of the names to something else."""
    if any(_binds(source, old) or _binds(source, new) for old, new in names.items()):
        return None
    return _renamed(source, names)


def _binds(source: str, name: str) -> bool:
    return _bindings(source, name) > 0


def _bindings(source: str, name: str) -> int:
    return sum(name in _bound(node) for node in ast.walk(ast.parse(source)))


def _reads(source: str, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(ast.parse(source)))


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a node gives a meaning to."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name.partition(".")[0]]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names
        case _:
            return []


def _renamed(source: str, names: Mapping[str, str]) -> str:
    from nucleate_tool_library.source.renaming import renamed  # the parser is slow to import, and few changes rename

    return renamed(source, names)
