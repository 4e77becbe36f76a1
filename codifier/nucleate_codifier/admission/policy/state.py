"""Values of the module that functions write into: what one call leaves there, the next one finds.

Only what can be changed counts: lists, dictionaries, sets and what else holds elements. Reading is free; handing such
a value on under another name is not, since nobody sees then who writes into it. What is missed here, two calls in one
process show (`tests/remembers`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset({"list", "dict", "set", "bytearray", "Counter", "defaultdict", "deque", "OrderedDict", "ChainMap"})
_WRITES = """
    append add update extend insert pop popitem popleft remove discard clear setdefault sort reverse appendleft
    extendleft rotate subtract move_to_end intersection_update difference_update symmetric_difference_update
"""
_READS = """
    abs all any bool dict enumerate filter frozenset iter len list map max min next range repr reversed set sorted str
    sum tuple zip isinstance
"""
_WRITERS, _READERS = frozenset(_WRITES.split()), frozenset(_READS.split())
_ALIASES = (ast.Assign, ast.AnnAssign, ast.Return, ast.NamedExpr, ast.keyword, ast.Yield)


def state_findings(module: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each place where a function writes into a value of the module, or hands it on."""
    values = {name for node in module.body for name in _changeable(node)}
    if not values:
        return
    for function in (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
        own = _own_names(function)
        parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in values - own and _is_written(node, parents):
                yield _finding(node)


def _changeable(node: ast.stmt) -> Iterator[str]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            if value is not None and any(_makes(part) for part in ast.walk(value)):
                yield name


def _makes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in _MAKERS
    return isinstance(node, _DISPLAYS)


def _own_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return arguments | {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _is_written(node: ast.expr, parents: dict[int, ast.AST]) -> bool:
    """Return whether an expression is changed, or goes where somebody else may change it."""
    parent = parents.get(id(node))
    match parent:
        case ast.Subscript(value=value, ctx=context) if value is node:
            return not isinstance(context, ast.Load) or _is_written(parent, parents)
        case ast.Attribute(attr=attribute):
            return attribute in _WRITERS and isinstance(parents.get(id(parent)), ast.Call)
        case ast.AugAssign(target=target):
            return target is node
        case ast.Call(func=func):
            name = func.id if isinstance(func, ast.Name) else ""
            return func is not node and isinstance(func, ast.Name) and name not in _READERS
    return isinstance(parent, _ALIASES) and isinstance(node, ast.Name)


def _finding(node: ast.Name) -> Finding:
    return Finding(
        rule="policy/state",
        line=node.lineno,
        message=f"{quoted(node.id)} is one value of the module for all calls, and is written into or handed on here",
        fix="make a new one inside the function, or write it as a tuple or frozenset where it stays as it is",
    )
