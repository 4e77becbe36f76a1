"""Mutants: small wrong variants of a tool, made from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider

from nucleate_codifier.admission.mutation.mutations import is_call_of, replacements

# The words of an error are read by people; which error it is, is what the suite sees.
INERT = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator, cst.Param, cst.ClassDef, cst.Raise)


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One variant: the line that was changed, what the change is, and the whole changed source."""

    line: int
    change: str
    source: str
    trivial: bool = False


def mutants(source: str, name: str, *, limit: int) -> tuple[Mutant, ...]:
    """Return up to `limit` different variants that parse, spread over the whole tool, the trivial one first.

    The trivial mutant returns None at once: a suite that it survives tests nothing (LESSONS 17).
    """
    wrapper = MetadataWrapper(cst.parse_module(source))
    trivial = [*_trivial(wrapper, name)]
    return _distinct(source, [*trivial, *_chosen(wrapper, limit - len(trivial))])


def _chosen(wrapper: MetadataWrapper, count: int) -> Iterator[Mutant]:
    """Yield up to so many variants, from the first line to the last; building one takes longer than finding it."""
    if count < 1:
        return
    positions = wrapper.resolve(PositionProvider)
    found = [*_changes(wrapper)]
    share = max(1.0, len(found) / count)
    for node, replacement, change in (found[int(index * share)] for index in range(min(count, len(found)))):
        yield _mutant(wrapper, node, replacement, change, positions[node].start.line)


def _changes(wrapper: MetadataWrapper) -> Iterator[tuple[cst.CSTNode, cst.CSTNode | cst.RemovalSentinel, str]]:
    parents = wrapper.resolve(ParentNodeProvider)
    for node in _nodes(wrapper.module):
        if not _is_inert(node, parents):
            yield from ((node, *change) for change in replacements(node, parents.get(node)))


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _is_inert(node: cst.CSTNode, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> bool:
    """Types, docstrings and imports do nothing when a tool runs; no example leaves a default to be used."""
    current: cst.CSTNode | None = node
    while current is not None:
        parent = parents.get(current)
        if isinstance(current, INERT) or (isinstance(parent, cst.Expr) and isinstance(current, cst.BaseString)):
            return True
        if is_call_of(current, "print") or _is_digits(current, parent, parents):
            return True
        if isinstance(current, cst.Subscript) and isinstance(parent, cst.Assign) and _is_top(parent, parents):
            return True  # an alias of a type
        current = parent
    return False


def _is_digits(node: cst.CSTNode, parent: cst.CSTNode | None, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> bool:
    """One digit more in `round(x, 2)` changes no price; that they are lost is a change of its own."""
    return isinstance(node, cst.Integer) and isinstance(parent, cst.Arg) and is_call_of(parents.get(parent), "round")


def _is_top(node: cst.CSTNode, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> bool:
    return isinstance(parents.get(parents[node]), cst.Module)


def _mutant(
    wrapper: MetadataWrapper, node: cst.CSTNode, replacement: cst.CSTNode | cst.RemovalSentinel, change: str, line: int
) -> Mutant:
    module = wrapper.module.visit(_Swap(node, replacement))
    assert isinstance(module, cst.Module)
    return Mutant(line=line, change=change, source=module.code)


class _Swap(cst.CSTTransformer):
    def __init__(self, node: cst.CSTNode, replacement: cst.CSTNode | cst.RemovalSentinel) -> None:
        super().__init__()
        self._node = node
        self._replacement = replacement

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        """Put the replacement where the node was."""
        if original_node is self._node:
            return self._replacement  # type: ignore[return-value]
        return updated_node


def _trivial(wrapper: MetadataWrapper, name: str) -> Iterator[Mutant]:
    positions = wrapper.resolve(PositionProvider)
    nothing = cst.IndentedBlock(body=[cst.parse_statement("return None")])
    for node in wrapper.module.body:
        if isinstance(node, cst.FunctionDef) and node.name.value == name:
            line = positions[node].start.line
            yield replace(
                _mutant(wrapper, node.body, nothing, "the whole body became `return None`", line), trivial=True
            )


def _distinct(source: str, found: list[Mutant]) -> tuple[Mutant, ...]:
    seen = {source}
    different = []
    for mutant in found:
        if mutant.source not in seen and _parses(mutant.source):
            seen.add(mutant.source)
            different.append(mutant)
    return tuple(different)


def _parses(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", flags=ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
