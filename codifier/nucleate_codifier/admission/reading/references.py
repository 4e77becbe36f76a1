"""What a candidate reaches: environment functions by `env.…`, library tools by name. Read from the tree alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.scopes import Names, resolve
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import LibraryView

ENV = "env"
HARNESS = frozenset({ENV, "FunctionError"})


@dataclass(frozen=True, kw_only=True)
class EnvironmentUse:
    """One use of `env`: the dotted path after it, and the call, if it is called directly."""

    path: str
    line: int
    call: ast.Call | None


def names_of(subject: Subject) -> Names:
    """Return the names of the candidate's module; none for a module that cannot be read."""
    return _names(subject.candidate.source)


@lru_cache(maxsize=64)
def _names(text: str) -> Names:
    return resolve(source.read(text).module or ast.Module(body=[], type_ignores=[]))


def environment_uses(names: Names) -> Iterator[EnvironmentUse]:
    """Yield each use of the harness's `env`, in the order of the text."""
    parents = {child: node for node in ast.walk(names.module) for child in ast.iter_child_nodes(node)}
    for use in names.free:
        if use.id == ENV:
            yield _environment_use(use, parents)


def _environment_use(use: ast.Name, parents: dict[ast.AST, ast.AST]) -> EnvironmentUse:
    node: ast.AST = use
    path: list[str] = []
    while isinstance(parent := parents.get(node), ast.Attribute):
        path.append(parent.attr)
        node = parent
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    return EnvironmentUse(path=".".join(path), line=use.lineno, call=call)


def tool_uses(subject: Subject) -> tuple[ast.Name, ...]:
    """Return the uses of names that the library knows, usable or not; the candidate's own name is its own."""
    library = subject.library
    known = (set(library.tools) | set(library.unusable)) - HARNESS - {subject.candidate.name}
    return tuple(use for use in names_of(subject).free if use.id in known)


def dependency_names(subject: Subject) -> tuple[str, ...]:
    """Return the usable library tools that the candidate names, sorted."""
    return tuple(sorted({use.id for use in tool_uses(subject)} & set(subject.library.tools)))


def dependencies_of(subject: Subject) -> tuple[str, ...]:
    """Return the ids of the tool versions that the candidate calls, in the order of their names."""
    return tuple(subject.library.tools[name].id for name in dependency_names(subject))


def own_capabilities(subject: Subject) -> tuple[str, ...]:
    """Return the environment functions that the candidate itself calls, sorted."""
    paths = {use.path for use in environment_uses(names_of(subject))}
    return tuple(sorted(paths & set(subject.environment.functions)))


def capabilities_of(subject: Subject) -> tuple[str, ...]:
    """Return the environment functions that the candidate may call, by itself or through its closure, sorted."""
    reached = reachable(dependencies_of(subject), subject.library)
    by_id = {version.id: version for version in subject.library.tools.values()}
    inherited = {name for key in reached if key in by_id for name in by_id[key].capabilities}
    return tuple(sorted(inherited | set(own_capabilities(subject))))


def reachable(ids: tuple[str, ...], library: LibraryView) -> dict[str, str]:
    """Return the version ids that these need, with who needs each (a tool's name, or '' for the candidate)."""
    by_id = {version.id: version for version in library.tools.values()}
    found: dict[str, str] = dict.fromkeys(ids, "")
    waiting = list(ids)
    while waiting:
        version = by_id.get(waiting.pop())
        for key in version.dependencies if version else ():
            if key not in found:
                found[key] = version.name if version else ""
                waiting.append(key)
    return found
