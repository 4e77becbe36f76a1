"""Guards for the run: a module in which everything that the policy refuses raises, line for line where it was.

RestrictedPython guards at run time by rewriting every attribute, element and loop into a call. Names of attributes are
literal in Python, so it can be said beforehand which of those calls would refuse, and only these are rewritten here. A
module that the policy lets pass comes back unchanged: it runs at full speed and keeps its tracebacks. One that it would
not, because no gate has judged it, meets an AttributeError where it would have left the language.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from nucleate_codifier.admission.policy.constructs import refused_nodes
from nucleate_codifier.admission.policy.imports import import_objections
from nucleate_codifier.admission.policy.policy_gate import refused_builtins
from nucleate_codifier.admission.reading.packages import declared_modules
from nucleate_codifier.admission.reading.scopes import resolve
from nucleate_codifier.admission.reading.source import read, tree
from nucleate_codifier.values import AdmissionPolicy

REFUSED = "_refused_"
_PRELUDE = f"""

def {REFUSED}(name):
    raise AttributeError(f"{{name!r}} is not allowed in a tool")
"""
_NEVER = "'\\0'"  # as a pattern: no value is this text
_PLACES_IN_FSTRINGS = sys.version_info >= (3, 12)  # before, the parser gives wrong columns there


@dataclass(frozen=True, kw_only=True, order=True)
class _Edit:
    """A stretch of the text, by line and byte column, and what stands there instead."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def guarded_by(policy: AdmissionPolicy, source: str) -> str:
    """Return a tool's module with its guards; beside the policy's imports it has the packages that it declares.

    Whether it may declare them was judged at its admission, and without its lock they are not there.
    """
    return guarded(source, imports=policy.allowed_imports | declared_modules(source))


@lru_cache(maxsize=256)
def guarded(source: str, *, imports: frozenset[str] = AdmissionPolicy().allowed_imports) -> str:
    """Return the module with its guards. Raises ValueError for a module that cannot be read."""
    given = read(source)
    if given.module is None:
        raise ValueError(f"the module cannot be guarded: {given.findings[0].message}")
    edits = sorted(set(_edits(source, imports)))
    if not edits:
        return source
    lines = [line.encode() for line in source.split("\n")]
    for edit in reversed(_outermost(edits)):
        _apply(lines, edit)
    return b"\n".join(lines).decode() + _PRELUDE


def _edits(source: str, imports: frozenset[str]) -> Iterator[_Edit]:
    module = tree(source)
    wholes = _wholes(module)
    refused: list[ast.AST] = [*refused_builtins(resolve(module))]
    refused += [node for node, _ in import_objections(module, imports)]
    refused += [node for node, _ in refused_nodes(module)]
    for node in refused:
        yield from _edit(wholes.get(id(node), node))


def _wholes(module: ast.Module) -> Mapping[int, ast.AST]:
    """Return what must be replaced as a whole: a pattern for what is in it, and a formatted text."""
    found: dict[int, ast.AST] = {}
    for node in ast.walk(module):
        formatted = isinstance(node, ast.JoinedStr) and not _PLACES_IN_FSTRINGS
        if formatted or isinstance(node, ast.MatchValue | ast.MatchClass):
            for part in ast.walk(node):
                found.setdefault(id(part), node)
    return found


def _edit(node: ast.AST) -> Iterator[_Edit]:
    """Yield what stands in a refused node's place; nothing for one that a guard need not stop."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield _instead(node, "raise ImportError('this import is not allowed in a tool'", ")")
        case ast.MatchValue() | ast.MatchClass():
            yield _instead(node, f"({_NEVER}", ")")
        case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Name(id=name, ctx=ast.Load()):
            yield _instead(node, f"{REFUSED}({name!r}", ")")
        case ast.Attribute(attr=name):
            yield _instead(node, f"{REFUSED}({name!r}", ")[0]")
        case ast.JoinedStr():
            yield _instead(node, f"{REFUSED}('f-string'", ")")


def _instead(node: ast.expr | ast.stmt | ast.pattern, opens: str, closes: str) -> _Edit:
    """Keep the number of lines: a line break within brackets means nothing."""
    last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    breaks = "\n" * (last - node.lineno)
    return _Edit(start=(node.lineno, node.col_offset), end=(last, column), text=f"{opens}{breaks}{closes}")


def _outermost(edits: list[_Edit]) -> list[_Edit]:
    kept: list[_Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, [-place for place in edit.end])):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _apply(lines: list[bytes], edit: _Edit) -> None:
    (first, begin), (last, end) = edit.start, edit.end
    before, after = lines[first - 1][:begin], lines[last - 1][end:]
    lines[first - 1 : last] = (before + edit.text.encode() + after).split(b"\n")
