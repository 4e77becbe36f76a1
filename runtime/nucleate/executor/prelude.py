"""The Python that puts our names into a session, and puts them back where a block may have taken them away."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable

from nucleate.executor.scope import FINISH, OWN, RECALL, SEARCH
from nucleate_tool_library import Signature

# `...` is no JSON value, so it can stand for an argument that was not given.
_OPENING = f"""\
try:
    _{OWN}
except NameError:
    _{OWN} = env
env = _{OWN}
def {FINISH}(answer=None):
    return _{OWN}.{OWN}.{FINISH}(answer=answer)
def {RECALL}(hint):
    return _{OWN}.{OWN}.{RECALL}(hint=hint)
"""
_SEARCHING = f"""\
def {SEARCH}(query):
    return _{OWN}.{OWN}.{SEARCH}(query=query)
"""
_WIDE = frozenset(
    {"globals", "locals", "vars", "exec", "eval", "setattr", "delattr", "builtins", "sys", "inspect", "gc"}
)
_TOOL = """\
def {name}({parameters}):
    _given = {{{pairs}}}
    return _{own}.{own}.{name}(**{{key: value for key, value in _given.items() if value is not ...}})
"""


def prelude(tools: Iterable[Signature], *, searching: bool = False) -> str:
    """Return code that defines `finish`, `recall`, the search and each tool as a function with its own parameters."""
    return _OPENING + (_SEARCHING if searching else "") + "".join(_tool(signature) for signature in tools)


def may_take(code: str, names: Iterable[str]) -> bool:
    """Return whether a block that ran well may have bound one of these names, or can bind any by other means."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    ours = {*names, f"_{OWN}"}
    return any(_bound(node) & ours or _reaches(node) for node in ast.walk(tree))


def _bound(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.alias(name=name, asname=other):
            return {other or name.partition(".")[0]}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return {name}
        case ast.MatchMapping(rest=str(name)):
            return {name}
    return set()


def _reaches(node: ast.AST) -> bool:
    """Return whether a node can change names that it does not spell: `globals()`, `from x import *`, `__dict__`."""
    if isinstance(node, ast.Name):
        return node.id in _WIDE
    if isinstance(node, ast.Attribute):
        return node.attr.startswith("__")
    return isinstance(node, ast.alias) and (node.name == "*" or node.name in _WIDE)


def _tool(signature: Signature) -> str:
    properties, needed = signature.parameters.get("properties"), signature.parameters.get("required")
    names = [name for name in properties if _usable(name)] if isinstance(properties, dict) else []
    required = set(needed) if isinstance(needed, list) else set()
    ordered = sorted(names, key=lambda name: name not in required)
    parameters = ", ".join(name if name in required else f"{name}=..." for name in ordered)
    return _TOOL.format(
        name=signature.name, parameters=parameters, pairs=", ".join(f"{name!r}: {name}" for name in names), own=OWN
    )


def _usable(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
