"""Which rules the package's source names: read from every `Finding(rule=…)` and from the calls that lead there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nucleate_codifier

PACKAGE = Path(nucleate_codifier.__file__).parent
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


@dataclass(frozen=True, kw_only=True)
class Way:
    """A function whose parameter becomes the end of a rule's name."""

    function: str
    parameter: str
    position: int
    prefix: str


def emitted() -> set[str]:
    """Return the ids that the source certainly names."""
    found = {rule for tree in TREES.values() for node in ast.walk(tree) for rule in _plain(node)}
    for tree in TREES.values():
        for way in _ways(tree):
            reach = [tree] if way.function.startswith("_") else TREES.values()
            found |= {way.prefix + name for other in reach for name in _given(other, way)}
            found |= {way.prefix + name for name in _fixes(tree)}
    return found


def words() -> set[str]:
    """Return every text of the package's source, with what stands after its last slash, alone and before another."""
    texts = {
        node.value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    ends = {text.rpartition("/")[2] for text in texts}
    begins = {text for text in ends if text.endswith("-") and text.strip("-").replace("-", "").isalpha()}
    return texts | ends | {f"{begin}{text}" for begin in begins for text in texts if text.isalpha()}


def _rules(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
        yield from (item.value for item in node.keywords if item.arg == "rule")


def _plain(node: ast.AST) -> Iterator[str]:
    for rule in _rules(node):
        if isinstance(rule, ast.Constant) and isinstance(rule.value, str):
            yield rule.value


def _ways(tree: ast.Module) -> Iterator[Way]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = [item.arg for item in function.args.args if item.arg != "self"]
        for rule in (rule for node in ast.walk(function) for rule in _rules(node)):
            match rule:
                case ast.JoinedStr(
                    values=[ast.Constant(value=str() as prefix), ast.FormattedValue(value=ast.Name(id=name))]
                ) if name in names:
                    yield Way(function=function.name, parameter=name, position=names.index(name), prefix=prefix)


def _given(tree: ast.Module, way: Way) -> Iterator[str]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name != way.function:
            continue
        places = [*call.args[way.position : way.position + 1]]
        places += [item.value for item in call.keywords if item.arg == way.parameter]
        yield from (item.value for item in places if isinstance(item, ast.Constant) and isinstance(item.value, str))


def _fixes(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="FIXES")], value=ast.Dict(keys=keys)):
                yield from (key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
