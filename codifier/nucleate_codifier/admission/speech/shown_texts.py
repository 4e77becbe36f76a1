"""Every text that an agent may be shown with a tool: literals, also in pieces; comments; the names of parameters."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

MIN_CODES = 12
_TOGETHER = (ast.BinOp, ast.JoinedStr, ast.List, ast.Tuple, ast.Set)


def texts_of(text: str, module: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield (text, line) for each literal, comment and parameter, and for literals that are put together."""
    inner: set[int] = set()
    for node in ast.walk(module):
        yield from _texts(node)
        if isinstance(node, _TOGETHER) and id(node) not in inner:
            inner |= {id(part) for part in ast.walk(node)}
            pieces = [*_pieces(node)]
            yield from ((separator.join(pieces), node.lineno) for separator in ("", " ") if len(pieces) > 1)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string, token.start[0]


def _texts(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Constant(value=str() as text):
            yield text, node.lineno
        case ast.Constant(value=bytes() as data):
            yield data.decode("latin-1"), node.lineno
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) if len(items) >= MIN_CODES:
            yield from ((text, node.lineno) for text in _from_codes(items))
        case ast.arg(arg=name):
            yield name.replace("_", " "), node.lineno


def _from_codes(items: list[ast.expr]) -> Iterator[str]:
    """Yield the text that a row of numbers spells, character by character."""
    codes = [item.value for item in items if isinstance(item, ast.Constant) and type(item.value) is int]
    if len(codes) == len(items) and all(32 <= code <= 0x10FFFF for code in codes):
        yield "".join(map(chr, codes))


def _pieces(node: ast.AST) -> Iterator[str]:
    """Yield the literal texts below a node, in the order of the source."""
    found = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    for part in sorted(found, key=lambda part: (part.lineno, part.col_offset)):
        yield str(part.value)
