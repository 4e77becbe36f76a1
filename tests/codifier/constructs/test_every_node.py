"""The table of decisions is complete, and every decision has a sample in this folder."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from textwrap import indent

import pytest

import tests.codifier.constructs as folder
from nucleate_codifier.admission.policy.grammar import ALLOWED, CONDITIONS, DECIDED, REASONS
from nucleate_codifier.admission.reading.source import tree

# Kinds of nodes, and classes that the parser no longer makes.
ABSTRACT = frozenset(
    {
        *("AST", "mod", "stmt", "expr", "expr_context", "boolop", "operator", "unaryop", "cmpop", "excepthandler"),
        *("pattern", "type_ignore", "type_param", "slice", "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index"),
        *("ExtSlice", "Suite", "AugLoad", "AugStore", "Param"),
    }
)
NODES = sorted(
    name
    for name, value in vars(ast).items()
    if isinstance(value, type) and issubclass(value, ast.AST) and name not in ABSTRACT and not name.startswith("_")
)
# Only other modes of the parser make these.
OTHER_MODES = frozenset({"Expression", "FunctionType", "Interactive", "TypeIgnore"})


@pytest.mark.parametrize("node", NODES)
def test_every_node_of_this_python_is_decided(node: str) -> None:
    assert node in DECIDED


def test_a_node_is_decided_once() -> None:
    assert len(ALLOWED) + len(CONDITIONS) + len(REASONS) == len(DECIDED)


def test_every_decision_has_a_sample() -> None:
    shown = {type(node).__name__ for text in _samples() for node in _nodes(text)}
    assert sorted(set(NODES) - shown - OTHER_MODES) == []


def _samples() -> Iterator[str]:
    for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        name = found.name.rpartition(".")[2]
        if name.startswith("test_") and name not in {"test_every_node", "test_newer_syntax"}:
            module = importlib.import_module(found.name)
            yield from module.ALLOWED
            yield from (sample for sample, _ in module.REFUSED)


def _nodes(text: str) -> Iterator[ast.AST]:
    return ast.walk(tree(f"async def f():\n{indent(text, '    ')}\n"))
