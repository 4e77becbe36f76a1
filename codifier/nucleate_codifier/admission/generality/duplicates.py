"""Near-duplicates: a tool that is in the library already, under other names for its variables or in other words."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.reading.references import capabilities_of
from nucleate_codifier.admission.subject import Subject
from nucleate_text_memory import Embedder, EmbedderUnavailable
from nucleate_tool_library import Signature, ToolVersion, read_signature

SAME_WORDS = 0.95  # cosine; two that differ in a clause which matters were seen to reach 0.91


def others(subject: Subject) -> tuple[ToolVersion, ...]:
    """Return the other tools of the candidate's scope; a new version of a tool is not its twin."""
    own = subject.candidate
    return tuple(
        version for version in subject.library.tools.values() if version.name != own.name and version.scope == own.scope
    )


def rivals(subject: Subject) -> tuple[ToolVersion, ...]:
    """Return the other tools of the scope that reach exactly what the candidate reaches."""
    own = frozenset(capabilities_of(subject))
    return tuple(version for version in others(subject) if frozenset(version.capabilities) == own)


@dataclass(frozen=True, kw_only=True)
class ByEmbedding:
    """How near a description is to others, by the cosine of their embeddings: for `LibraryView.similar`.

    Where the embedder's package is missing, nothing is near: the tree and the behaviour still tell twins.
    """

    embedder: Embedder

    @property
    def model(self) -> str:
        return self.embedder.model

    def __call__(self, text: str, known: Sequence[str]) -> Sequence[float]:
        try:
            vectors = self.embedder.embed([text, *known])
        except EmbedderUnavailable:
            return [0.0] * len(known)
        return [float(value) for value in vectors[1:] @ vectors[0]]


def twin_in_words(subject: Subject) -> ToolVersion | None:
    """Return the rival whose signature and docstring say what the candidate's say, if one does."""
    similar, known = subject.library.similar, rivals(subject)
    if similar is None or not known:
        return None
    own = read_signature(subject.candidate.source, subject.candidate.name)
    nearness = similar(_description(own), [_description(version.signature) for version in known])
    best, version = max(zip(nearness, known, strict=True), key=lambda pair: (pair[0], pair[1].name))
    return version if best >= SAME_WORDS else None


def _description(signature: Signature) -> str:
    properties = signature.parameters.get("properties")
    names = " ".join(properties) if isinstance(properties, dict) else ""
    return f"{signature.name} {names} {signature.doc}".replace("_", " ")


def twin(subject: Subject) -> ToolVersion | None:
    """Return another tool of this scope with the same normalised tree, or the same template and capabilities."""
    own_tree = normalised(subject.candidate.source)
    own_capabilities = frozenset(capabilities_of(subject))
    for version in others(subject):
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
