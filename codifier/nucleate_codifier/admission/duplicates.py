"""Near-duplicates: a tool that is in the library already, under other names for its variables."""

from __future__ import annotations

import ast

from nucleate_codifier.admission.references import capabilities_of
from nucleate_codifier.admission.subject import Subject
from nucleate_tool_library import ToolVersion


def twin(subject: Subject) -> ToolVersion | None:
    """Return another tool of this scope with the same normalised tree, or the same template and capabilities."""
    own_tree = normalised(subject.candidate.source)
    own_capabilities = frozenset(capabilities_of(subject))
    for version in subject.library.tools.values():
        if version.name == subject.candidate.name or version.scope != subject.candidate.scope:
            continue  # a new version of a tool is not its twin
        if normalised(version.source) == own_tree:
            return version
        same_template = bool(version.template) and version.template == subject.candidate.template
        if same_template and own_capabilities == frozenset(version.capabilities):
            return version
    return None


def normalised(source: str) -> str:
    """Return a text that is equal for sources that differ in names of their own, docstrings and annotations only."""
    tree = ast.parse(source)
    names: dict[str, str] = {}
    for name in _own_names(tree):
        names.setdefault(name, f"n{len(names)}")
    return ast.dump(_Normal(names).visit(tree))


def _own_names(tree: ast.Module) -> list[str]:
    bound: list[str] = []
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.arg(arg=name)
            ):
                bound.append(name)
            case ast.Name(id=name, ctx=ast.Store()):
                bound.append(name)
    return bound


class _Normal(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        node.name, node.body, node.returns = self._names.get(node.name, node.name), body or [ast.Pass()], None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg, node.annotation = self._names.get(node.arg, node.arg), None
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign(targets=[node.target], value=node.value))
