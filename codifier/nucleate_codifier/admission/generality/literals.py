"""Literals of a tool that come from one supporting query: what varies must be a parameter (Metis §3.3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.generality.forms import contains, forms_of, tokens
from nucleate_codifier.values import Example
from nucleate_sandbox import Json

ORDINARY = frozenset({-1, 0, 1, 2, 10, 100, 1000})
MIN_TEXT = 3


@dataclass(frozen=True, kw_only=True)
class Literal:
    """A literal and where it stands; `message` says that it is said in an error that the tool raises."""

    value: str | int | float
    line: int
    message: bool = False


def literals(source: str) -> tuple[Literal, ...]:
    """Return the literals that may be an entity: no docstrings, annotations, keys, or ordinary numbers."""
    tree = ast.parse(source)
    skipped = {id(node) for part in _structural(tree) for node in ast.walk(part)}
    said = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() | int() | float() as value) if id(node) not in skipped:
                found += (
                    _in_message(value, node.lineno) if id(node) in said else [Literal(value=value, line=node.lineno)]
                )
    return tuple(literal for literal in found if _may_be_entity(literal.value))


def _in_message(value: str | int | float, line: int) -> list[Literal]:
    """Words of a message are for people: what may be an entity is a piece with a digit, or the whole as a value."""
    pieces = [piece.strip(".,:;!?()'\"") for piece in value.split()] if isinstance(value, str) else [value]
    numbered = [piece for piece in pieces if any(mark.isdigit() for mark in str(piece))]
    return [Literal(value=piece, line=line) for piece in numbered] + [Literal(value=value, line=line, message=True)]


def borrowed(literal: Literal, examples: Sequence[Example]) -> Example | None:
    """Return a run whose query a literal comes from; None where it is in no query, in all, or in the world itself."""
    if literal.message and not any(
        literal.value == leaf for item in examples for c in item.calls for leaf in leaves(c.result)
    ):
        return None
    holding = [example for example in examples if _is_in(literal, example.query)]
    if not holding or (len(holding) == len(examples) > 1):
        return None
    if all(_is_in_calls(literal, example) for example in examples) and len(examples) > 1:
        return None
    return holding[0]


def _structural(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node
            case ast.Subscript(slice=ast.Constant(value=str()) as key):
                yield key
            case ast.Dict(keys=keys):
                yield from (key for key in keys if key is not None)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
                yield values
            case ast.Call(func=ast.Attribute(attr="get"), args=[first, *_]):
                yield first
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(returns=ast.expr() as returns) | ast.AsyncFunctionDef(returns=ast.expr() as returns):
                yield returns


def _may_be_entity(value: str | int | float) -> bool:
    if isinstance(value, str):
        return len(value.strip()) >= MIN_TEXT
    return not isinstance(value, bool) and value not in ORDINARY


def _is_in(literal: Literal, query: str) -> bool:
    words = tokens(query)
    return any(contains(words, form) for form in forms_of(literal.value))


def _is_in_calls(literal: Literal, example: Example) -> bool:
    return any(
        literal.value == leaf
        for call in example.calls
        for part in (call.arguments, call.result)
        for leaf in leaves(part)
    )


def leaves(value: Json) -> Iterator[Json]:
    """Yield the scalars of a value."""
    if isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value
