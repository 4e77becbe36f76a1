"""Imports: from modules on the list, of their public members, and used in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nucleate_codifier.admission.policy.allowed import is_member, may_import
from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

Objection = tuple[ast.AST, Finding]


def import_findings(module: ast.Module, allowed: frozenset[str]) -> Iterator[Finding]:
    """Yield what is imported, or reached through an import, without being allowed."""
    yield from (finding for _, finding in import_objections(module, allowed))


def import_objections(module: ast.Module, allowed: frozenset[str]) -> Iterator[Objection]:
    """Yield each such import, or use of an imported module, with what is wrong with it."""
    modules: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node, finding) for finding in _plain(node, allowed))
            modules |= {_local_name(alias): _module_of(alias) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, finding) for finding in _from(node, allowed))
    yield from _uses(module, modules)


def _plain(node: ast.Import, allowed: frozenset[str]) -> Iterator[Finding]:
    for alias in node.names:
        if not may_import(alias.name, allowed):
            yield _refused(node, alias.name, allowed)


def _from(node: ast.ImportFrom, allowed: frozenset[str]) -> Iterator[Finding]:
    name = "." * node.level + (node.module or "")
    if name == "__future__" and [alias.name for alias in node.names] == ["annotations"]:
        return
    if not may_import(name, allowed):
        yield _refused(node, name, allowed)
        return
    for alias in node.names:
        if alias.name != "*" and not is_member(name, alias.name):  # the construct rules speak about the star
            yield _private(node.lineno, name, alias.name)


def _uses(module: ast.Module, modules: dict[str, str]) -> Iterator[Objection]:
    """Yield uses of an imported module other than one public member of it, read in place."""
    parents = {child: node for node in ast.walk(module) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in modules:
            for finding in _use(node, modules[node.id], parents):
                yield node, finding


def _use(node: ast.Name, name: str, parents: dict[ast.AST, ast.AST]) -> Iterator[Finding]:
    parent = parents.get(node)
    if not isinstance(parent, ast.Attribute):
        yield Finding(
            rule="policy/module-alias",
            line=node.lineno,
            message=f"the module {quoted(name)} is used as a value",
            fix="use one of its members in place",
        )
    elif not is_member(name, parent.attr):
        yield _private(node.lineno, name, parent.attr)
    elif f"{name}.{parent.attr}" == "collections.abc":
        yield from _member_of_submodule(parents.get(parent), "collections.abc", node.lineno)


def _member_of_submodule(parent: ast.AST | None, name: str, line: int) -> Iterator[Finding]:
    if not isinstance(parent, ast.Attribute) or not is_member(name, parent.attr):
        yield _private(line, name, parent.attr if isinstance(parent, ast.Attribute) else "itself")


def _refused(node: ast.stmt, name: str, allowed: frozenset[str]) -> Finding:
    return Finding(
        rule="policy/import",
        line=node.lineno,
        message=f"the module {quoted(name)} is not on the policy's list",
        fix=f"use one of: {', '.join(sorted(allowed))}",
    )


def _private(line: int, module: str, name: str) -> Finding:
    return Finding(
        rule="policy/member",
        line=line,
        message=f"{quoted(name)} is no member of {quoted(module)} that a tool may use",
        fix="use another public member of the module",
    )


def _local_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _module_of(alias: ast.alias) -> str:
    return alias.name if alias.asname else alias.name.partition(".")[0]
