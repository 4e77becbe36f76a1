"""`Any` in a candidate: where it would end the check it is refused, or taken out before the checker looks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

_CHANGES = frozenset({"update", "setdefault", "pop", "clear"})
_VALUES = (ast.Call, ast.Subscript, ast.Attribute, ast.Await, ast.Name)


def any_findings(module: ast.Module, public: str) -> Iterator[Finding]:
    """Yield each plain `Any` that a helper or a local hides behind; the public signature may know no better."""
    for node in ast.walk(module):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield from _plain(annotation, name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name != public:
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                for argument in arguments:
                    yield from _plain(argument.annotation, argument.arg)
                yield from _plain(node.returns, name)


def _plain(annotation: ast.expr | None, name: str) -> Iterator[Finding]:
    match annotation:
        case ast.Name(id="Any") | ast.Attribute(attr="Any") | ast.Constant(value="Any" | "typing.Any"):
            yield Finding(
                rule="types/any",
                line=annotation.lineno,
                message=f"{quoted(name)} is annotated as plain Any, which ends the check",
                fix="leave the annotation of a local out, or write what the value is",
            )


def inferred(text: str, module: ast.Module) -> str:
    """Return the text without the annotations of locals that say `Any`, so that a schema's own type is inferred.

    A name whose entries the tool changes keeps its annotation: it is a dictionary of the tool's own by then.
    """
    changed = {name for node in ast.walk(module) for name in _changed(node)}
    lines = text.split("\n")
    for function in (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
        for node in ast.walk(function):
            if isinstance(node, ast.AnnAssign) and _is_loose(node, changed):
                _blank(lines, node)
    return "\n".join(lines)


def _is_loose(node: ast.AnnAssign, changed: set[str]) -> bool:
    names = {part.id for part in ast.walk(node.annotation) if isinstance(part, ast.Name)}
    target = node.target.id if isinstance(node.target, ast.Name) else ""
    one_line = node.target.lineno == node.annotation.end_lineno
    return bool(target) and target not in changed and "Any" in names and isinstance(node.value, _VALUES) and one_line


def _blank(lines: list[str], node: ast.AnnAssign) -> None:
    """Put spaces where the annotation stands; the columns are those of UTF-8, as the tree counts them."""
    row = node.target.lineno - 1
    line = lines[row].encode()
    begin, end = node.target.end_col_offset or 0, node.annotation.end_col_offset or 0
    lines[row] = (line[:begin] + b" " * (end - begin) + line[end:]).decode()


def _changed(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _CHANGES:
            yield name
