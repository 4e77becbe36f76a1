"""Candidate source as a bounded tree: what cannot be read safely becomes findings, never a crash.

Every static gate begins here. The bounds stand before the parsers, since deep nesting ends a native parser's process.
"""

from __future__ import annotations

import ast
import io
import re
import threading
import tokenize
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nucleate_codifier.admission.reading.newer_syntax import newer_syntax
from nucleate_codifier.values import Finding

MAX_BYTES = 20_000
MAX_NESTING = 40
MAX_DEPTH = 90
MAX_NODES = 8_000
MAX_INTEGER_BITS = 14_284  # 4,300 digits: longer ones Python writes in no text, so that no message could show them
MAX_LAMBDAS = 4  # a type checker infers each of them twice for the one around it: 2 ** depth

_COOKIE = re.compile(r"^[ \t]*#.*?coding[:=][ \t]*([-\w.]+)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0")  # beside those of category Cf
_BIDI = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})
_WARNINGS = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Source:
    """A module's text, and either its tree or the findings that say why it has none."""

    text: str
    module: ast.Module | None
    findings: tuple[Finding, ...] = ()


@lru_cache(maxsize=64)
def read(text: str) -> Source:
    """Return the tree of a module, or what forbids reading it."""
    findings = tuple(_text_findings(text))
    if not findings:
        findings = tuple(_nesting_findings(text))
    if findings:
        return Source(text=text, module=None, findings=findings)
    try:
        module = tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Source(text=text, module=None, findings=(newer_syntax(text, error) or _syntax(error),))
    findings = tuple(_tree_findings(module))
    return Source(text=text, module=None if findings else module, findings=findings)


def unreadable(gate: str) -> Finding:
    """Return what a gate says of a module that it cannot look into; the parse gate says why."""
    return Finding(
        rule=f"{gate}/unreadable", message="the module cannot be read", fix="correct what the parse gate found"
    )


def quoted(text: str) -> str:
    """Return a name as a message shows it: whole if it is short, since a finding never echoes the source."""
    return repr(text if len(text) <= 60 else f"{text[:40]}…{text[-10:]}")


def tree(text: str) -> ast.Module:
    """Return a fresh tree of a text that was read without findings."""
    # The filters are the process's own: without the lock two threads would restore each other's.
    with _WARNINGS, warnings.catch_warnings(action="ignore"):
        return ast.parse(text)


def _syntax(error: BaseException) -> Finding:
    message = getattr(error, "msg", None) or "it is nested too deeply"
    line = getattr(error, "lineno", None)
    return Finding(
        rule="parse/syntax",
        line=line,
        message=f"not valid Python: {message[:120]}",
        fix="correct the syntax at this line",
    )


def _text_findings(text: str) -> Iterator[Finding]:
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        yield Finding(
            rule="parse/size",
            message=f"the module has {size} bytes; the limit is {MAX_BYTES}",
            fix="split it into smaller tools",
        )
        return
    for number, line in enumerate(text.split("\n"), start=1):
        yield from _line_findings(number, line)


def _line_findings(number: int, line: str) -> Iterator[Finding]:
    cookie = _COOKIE.match(line) if number <= 2 else None
    if cookie:
        yield Finding(
            rule="parse/encoding",
            line=number,
            message=f"the comment declares the encoding {quoted(cookie[1])}; tools are UTF-8",
            fix="delete the comment",
        )
    for character in sorted({found for found in line if _is_hidden(found)}):
        yield Finding(
            rule="parse/character",
            line=number,
            message=f"the character U+{ord(character):04X} ({_name(character)}) hides or changes what a reader sees",
            fix="delete it, or write it as an escape sequence in a string",
        )


def _is_hidden(character: str) -> bool:
    return _CONTROL.match(character) is not None or "\ud800" <= character <= "\udfff" or is_invisible(character)


def is_invisible(character: str) -> bool:
    """Return whether a reader does not see this character, or sees others in another order because of it."""
    return (
        character in _INVISIBLE
        or unicodedata.category(character) == "Cf"
        or 0xE0000 <= ord(character) <= 0xE01EF
        or 0xFE00 <= ord(character) <= 0xFE0E
        or unicodedata.bidirectional(character) in _BIDI
    )


def _name(character: str) -> str:
    return unicodedata.name(character, unicodedata.category(character))


def _nesting_findings(text: str) -> Iterator[Finding]:
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            opens = token.type == tokenize.INDENT or token.string in {"(", "[", "{"}
            closes = token.type == tokenize.DEDENT or token.string in {")", "]", "}"}
            depth += opens - closes
            if depth > MAX_NESTING:
                yield _too_deep(token.start[0], f"brackets and blocks are nested more than {MAX_NESTING} deep")
                return
            if token.type == tokenize.NAME and not token.string.isascii():
                yield _not_ascii(token)
    except (tokenize.TokenError, SyntaxError):
        return  # the parser says it better


def _not_ascii(token: tokenize.TokenInfo) -> Finding:
    plain = unicodedata.normalize("NFKC", token.string)
    reads = f", which Python reads as {quoted(plain)}" if plain != token.string else ""
    return Finding(
        rule="parse/identifier",
        line=token.start[0],
        message=f"the name {quoted(token.string)} is not ASCII{reads}",
        fix="use ASCII letters, digits and underscores in names",
    )


def _too_deep(line: int | None, message: str) -> Finding:
    return Finding(rule="parse/nesting", line=line, message=message, fix="name the parts in variables or helpers")


def _tree_findings(module: ast.Module) -> Iterator[Finding]:
    level: list[ast.AST] = [module]
    total = 0
    for _ in range(MAX_DEPTH):
        total += len(level)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            break
    if level:
        yield _too_deep(getattr(level[0], "lineno", None), f"expressions are nested more than {MAX_DEPTH} levels deep")
    elif (deep := _deep_lambda(module, 0)) is not None:
        yield _too_deep(deep.lineno, f"lambdas are nested more than {MAX_LAMBDAS} deep")
    yield from _long_integers(module)
    if total > MAX_NODES:
        yield Finding(
            rule="parse/size",
            message=f"the tree has more than {MAX_NODES} nodes",
            fix="split it into smaller tools",
        )


def _long_integers(module: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=int() as value) if value.bit_length() > MAX_INTEGER_BITS:
                yield Finding(
                    rule="parse/size",
                    line=node.lineno,
                    message=f"an integer has {value.bit_length()} bits; the limit is {MAX_INTEGER_BITS}",
                    fix="take it as a parameter",
                )


def _deep_lambda(node: ast.AST, depth: int) -> ast.Lambda | None:
    for child in ast.iter_child_nodes(node):
        inner = depth + isinstance(child, ast.Lambda)
        if inner > MAX_LAMBDAS and isinstance(child, ast.Lambda):
            return child
        if (found := _deep_lambda(child, inner)) is not None:
            return found
    return None
