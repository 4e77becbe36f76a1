"""What the active tools of a scope are: literals that are somebody's own, duplicates, families."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from evals.real.binding import roles, writing_functions
from nucleate_sandbox import JsonObject
from nucleate_tool_library import ToolVersion


def shelf_figures(tools: Sequence[ToolVersion], *, writes: frozenset[str], entities: frozenset[str]) -> JsonObject:
    """Return the figures that the sources alone give."""
    families = Counter(family for tool in tools if (family := writing_functions(tool, writes)))
    return {
        "tools_active": len(tools),
        "tools_writing": sum(families.values()),
        "entity_literals": sum(len(entity_literals(tool, entities)) for tool in tools),
        "duplicates": sum(count - 1 for count in Counter(map(_does, tools)).values()),
        "families": len(families),
        "tools_per_family": round(sum(families.values()) / len(families), 3) if families else None,
    }


def entity_literals(tool: ToolVersion, entities: frozenset[str]) -> list[str]:
    """Return the constants of a tool that are a key or a unique value in the environment; docstrings do not count."""
    tree = ast.parse(tool.source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.Module) and node.body and isinstance(node.body[0], ast.Expr)
    }
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    values = [str(value) for value in constants if isinstance(value, str | int) and not isinstance(value, bool)]
    return sorted({value for value in values if len(value) > 2 and value in entities})


def _does(tool: ToolVersion) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Return what a tool calls, and what it takes: two tools that are alike in both do the same."""
    taken = {(role.function, role.argument) for role in roles(tool.source)}
    return frozenset(tool.capabilities), frozenset(taken)
