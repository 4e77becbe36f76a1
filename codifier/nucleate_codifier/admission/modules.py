"""A candidate as a sandbox takes it: its module with the closure of library tools that it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import LibraryView
from nucleate_sandbox import Module
from nucleate_tool_library import ToolVersion


def module_of(subject: Subject) -> Module:
    """Return the candidate's module with its closure, each dependency after those that it needs (Metis §3.5)."""
    versions = closure(dependency_names(subject), subject.library)
    modules = tuple(Module(name=version.name, source=version.source) for version in versions)
    return Module(name=subject.candidate.name, source=subject.candidate.source, dependencies=modules)


def dependency_names(subject: Subject) -> frozenset[str]:
    """Return the library tools that the candidate names directly."""
    names = {node.id for node in ast.walk(ast.parse(subject.candidate.source)) if isinstance(node, ast.Name)}
    return frozenset(names & set(subject.library.tools)) - {subject.candidate.name}


def dependencies(subject: Subject) -> tuple[str, ...]:
    """Return the ids of the tool versions that the candidate calls directly."""
    return tuple(sorted(subject.library.tools[name].id for name in dependency_names(subject)))


def closure(names: Iterable[str], library: LibraryView) -> tuple[ToolVersion, ...]:
    """Return the versions of these tools and of all that they need, in an order in which they load."""
    by_id = {version.id: version for version in library.tools.values()}
    graph: dict[str, list[str]] = {}
    waiting = [library.tools[name].id for name in sorted(names) if name in library.tools]
    while waiting:
        current = waiting.pop()
        if current not in graph and current in by_id:
            graph[current] = sorted(by_id[current].dependencies)
            waiting += graph[current]
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError:  # the closure gate names the cycle; nothing that holds one gets as far as a sandbox
        order = sorted(graph)
    return tuple(by_id[item] for item in order if item in by_id)


def capabilities(subject: Subject) -> frozenset[str]:
    """Return the environment functions that the candidate may call, by itself or through its closure."""
    own = {name for name in _env_paths(ast.parse(subject.candidate.source)) if name in subject.environment.functions}
    used = closure(dependency_names(subject), subject.library)
    return frozenset(own.union(*(version.capabilities for version in used)))


def _env_paths(tree: ast.AST) -> Iterable[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=function, value=ast.Attribute(attr=namespace, value=ast.Name(id="env"))):
                yield f"{namespace}.{function}"
