"""How functions and tools are shown to a model: one line with types, and the first words of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from nucleate_codifier.trace.annotations import annotation, property_schema
from nucleate_sandbox import FunctionSpec, Json
from nucleate_tool_library import ToolVersion

NONE_YET = "(none)"
_DEEP = 3
_LONGEST = 120  # characters of what is said of a parameter
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_WORD = re.compile(r"[a-z]+")


def functions_text(functions: Mapping[str, FunctionSpec]) -> str:
    """Return every function by namespace: its call, what it answers, its effect, its documentation."""
    ordered = sorted(functions.values(), key=lambda spec: spec.name)
    groups = groupby(ordered, key=lambda spec: spec.name.rpartition(".")[0])
    return "\n\n".join(f"## env.{space}\n\n{_lines(specs)}" for space, specs in groups) or NONE_YET


def sentences(doc: str) -> list[str]:
    """Return the sentences of a documentation."""
    return [text for text in _SENTENCE.split(" ".join(doc.split())) if text]


def tools_text(versions: Iterable[ToolVersion]) -> str:
    """Return every tool: its signature and its docstring."""
    shown = [f"* `{item.signature.text.removeprefix('def ')}`\n{_indented(item.signature.doc)}" for item in versions]
    return "\n".join(shown) or NONE_YET


def _lines(specs: Iterable[FunctionSpec]) -> str:
    return "\n".join(f"* `{call_text(spec)}` ({spec.effect.value}) {_doc(spec)}".rstrip() for spec in specs)


def call_text(spec: FunctionSpec) -> str:
    """Return one function as it is called: its name without the namespace, parameters with types, what it answers."""
    properties, needed = spec.parameters.get("properties"), spec.parameters.get("required")
    required = needed if isinstance(needed, list) else []
    names = properties if isinstance(properties, dict) else {}
    shown = ", ".join(_parameter(spec, name, required=name in required) for name in names)
    returns = shape(spec.returns, _DEEP)
    return f"{spec.name.rpartition('.')[2]}({shown})" + (f" -> {returns}" if returns != "Any" else "")


def _parameter(spec: FunctionSpec, name: str, *, required: bool) -> str:
    schema = property_schema(spec.parameters, name)
    default = "" if required else f" = {schema.get('default', ...)!r}".replace("Ellipsis", "...")
    return f"{name}: {annotation(schema)}{default}"


def _doc(spec: FunctionSpec) -> str:
    return " ".join([*spec.doc.split(), *_arguments(spec)])


def _arguments(spec: FunctionSpec) -> Iterator[str]:
    """Yield what the environment says of each parameter, its first sentence, where that is more than its name."""
    properties = spec.parameters.get("properties")
    for name in properties if isinstance(properties, dict) else {}:
        said = " ".join(str(property_schema(spec.parameters, name).get("description") or "").split())
        first = _SENTENCE.split(said, maxsplit=1)[0].rstrip(".")[:_LONGEST]
        if set(_WORD.findall(first.lower())) - {*_WORD.findall(name.lower()), "the", "a", "of"}:
            yield f"{name}: {first}."


def _indented(doc: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in doc.strip().splitlines())


def shape(schema: Json, deep: int) -> str:
    """Return what a value looks like: `{order_id: str, items: [{sku: str}]}`."""
    if not isinstance(schema, dict) or deep == 0:
        return "Any" if not isinstance(schema, dict) else annotation(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        return f"{{{', '.join(f'{name}: {shape(item, deep - 1)}' for name, item in properties.items())}}}"
    if schema.get("type") == "array":
        return f"[{shape(schema.get('items'), deep - 1)}]"
    options = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(options, list) and options:
        return " | ".join(dict.fromkeys(shape(option, deep) for option in options))
    return annotation(schema)
