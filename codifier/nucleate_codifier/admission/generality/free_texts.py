"""Texts that name a kind and no entity: words of the environment's description, of types, and of fields that repeat.

They are free in every rule alike, however they are written: in another case, with blanks, dashes or underscores.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.generality.forms import contains
from nucleate_codifier.admission.generality.literals import Literal
from nucleate_codifier.values import Example
from nucleate_sandbox import FunctionSpec, Json
from nucleate_text_memory.origins import identifies

_GAPS = re.compile(r"[\s_\-./]+")
_EXAMPLES = re.compile(r"(?:such as|e\.g\.?|for example|for instance|like)\s[^.;)\n]{1,200}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, kw_only=True)
class FreeTexts:
    """The texts that a tool may hold, as they are said; and the sentences that describe the environment, in words."""

    texts: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]

    def holds(self, literal: Literal) -> bool:
        """Return whether a literal names no entity; that an id stands in a sentence does not make it free."""
        plain = said(str(literal.value))
        if plain in self.texts:
            return True
        words = _words(plain)
        is_text = isinstance(literal.value, str) and bool(words) and not identifies(literal.value)
        return is_text and any(contains(sentence, words) for sentence in self.sentences)


def free_texts(source: str, examples: Sequence[Example], functions: Mapping[str, FunctionSpec]) -> FreeTexts:
    """Return what is free for this source, by the functions, its own types and the runs."""
    names = {said(part) for name in functions for part in (name, *name.split("."))}
    texts = {
        *words_of_schemas(functions),
        *names,
        *map(said, categories(source, examples)),
        *map(said, declared(source)),
    }
    schemas = [schema for spec in functions.values() for schema in (spec.parameters, spec.returns)]
    described = [*(spec.doc for spec in functions.values()), *(text for one in schemas for text in _described(one))]
    sentences = dict.fromkeys(_words(_EXAMPLES.sub(" ", text)) for text in described)
    return FreeTexts(texts=frozenset(texts), sentences=tuple(sentences))


def said(text: str) -> str:
    """Return a text as a person would say it: lower case, blanks for what joins words."""
    return _GAPS.sub(" ", text).strip().casefold()


def words_of_schemas(functions: Mapping[str, FunctionSpec]) -> frozenset[str]:
    """Return the property names and enumeration values of the environment's schemas, as they are said and written."""
    schemas: list[Json] = [*(spec.parameters for spec in functions.values()), *(f.returns for f in functions.values())]
    found = [word for schema in schemas for word in _named(schema)]
    return frozenset((*map(said, found), *(word.casefold() for word in found)))


def _named(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        properties, values = schema.get("properties"), schema.get("enum")
        yield from properties if isinstance(properties, dict) else ()
        constant = schema.get("const")
        values = [*(values if isinstance(values, list) else []), constant]
        yield from (value for value in values if isinstance(value, str))
        for item in schema.values():
            yield from _named(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _named(item)


def _described(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (text for key in ("description", "title") if isinstance(text := schema.get(key), str))
    for item in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _described(item)


def declared(source: str) -> frozenset[str]:
    """Return the texts that the source's own `Literal[…]` types allow."""
    return frozenset(
        part.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal"
        for part in ast.walk(node.slice)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def categories(source: str, examples: Sequence[Example]) -> frozenset[str]:
    """Return the texts that a tool compares with a field whose values repeat: they name a kind, and no entity."""
    values: dict[str, Counter[str]] = {}
    for key, value in (pair for example in examples for call in example.calls for pair in _fields(call.result)):
        values.setdefault(key, Counter())[value] += 1
    repeated = {key for key, counts in values.items() if len(counts) < counts.total()}
    return frozenset(text for key, text in _compared(ast.parse(source)) if key in repeated)


def _compared(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each (field, text) of which a comparison or a pattern reads the one and names the other."""
    bound = _bound(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            fields = [field for part in parts for field in _read(part, bound)]
            yield from ((field, text) for field in fields for text in _texts(parts) if text not in fields)
        elif isinstance(node, ast.Match):
            fields = [field for part in ast.walk(node.subject) for field in _read(part, bound)]
            patterns = [part for case in node.cases for part in ast.walk(case.pattern)]
            yield from ((field, text) for field in fields for text in _texts(patterns))
        elif isinstance(node, ast.MatchMapping):
            for key, pattern in zip(node.keys, node.patterns, strict=True):
                texts = _texts([*ast.walk(pattern)])
                yield from ((str(key.value), text) for text in texts if isinstance(key, ast.Constant))


def _bound(tree: ast.Module) -> dict[str, set[str]]:
    """Return name → the fields from which it is bound."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
                if (
                    isinstance(target, ast.Tuple)
                    and isinstance(value, ast.Tuple)
                    and len(target.elts) == len(value.elts)
                ):
                    pairs = [*zip(target.elts, value.elts, strict=True)]
                for name, source in pairs:
                    if isinstance(name, ast.Name):
                        found.setdefault(name.id, set()).update(_read(source, {}))
    return found


def _read(node: ast.AST, bound: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the field that an expression reads: `row["status"]`, `row.get("status")`, or a name bound from one."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            yield key
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as key), *_]):
            yield key
        case ast.Name(id=name):
            yield from bound.get(name, ())


def _texts(parts: Sequence[ast.AST]) -> list[str]:
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _fields(value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from [(key, item)] if isinstance(item, str) else _fields(item)
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
