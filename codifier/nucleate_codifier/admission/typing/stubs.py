"""Stub modules for the type checker, from JSON schemas: the environment's functions and the library's tools.

`exact` stubs describe objects as TypedDicts; plain ones as `dict[str, Any]`, which a tool may rightly call them.
"""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from nucleate_sandbox import FunctionSpec
from nucleate_tool_library import Signature

Schema: TypeAlias = Mapping[str, Any]
HEADER = "import builtins as _b\nimport typing as _t\n"
ERROR = """class FunctionError(_b.Exception):
    kind: _b.str
    message: _b.str
    def __init__(self, message: _b.str, *, kind: _b.str = ...) -> None: ...
"""
MAX_TYPES = 2000

_SCALARS = {
    "string": "_b.str",
    "integer": "_b.int",
    "number": "_b.float",
    "float": "_b.float",
    "boolean": "_b.bool",
    "null": "None",
}


def environment_stub(functions: Iterable[FunctionSpec], *, exact: bool) -> str:
    """Return a module with `env`, a class for each of its namespaces, and FunctionError."""
    writer = _Writer(exact=exact)
    tree: dict[str, Any] = {}
    for spec in functions:
        path = spec.name.split(".")
        if all(_is_name(part) for part in path):
            _insert(tree, path, writer.function(path[-1], spec))
    classes: list[str] = []
    root = _namespace(tree, "Env", classes)
    return "\n".join([HEADER, ERROR, *writer.definitions, *classes, f"env: {root}", ""])


def library_stub(signatures: Iterable[Signature], *, exact: bool) -> str:
    """Return a module with one function for each signature."""
    writer = _Writer(exact=exact)
    functions = [writer.tool(signature) for signature in signatures]
    return "\n".join([HEADER, *writer.definitions, *functions, ""])


def package_stubs(names: Iterable[str]) -> dict[str, str]:
    """Return a module without types of its own for each dotted name, and for what stands before it."""
    parts = [name.split(".") for name in names]
    packages = {".".join(found[:size]) for found in parts for size in range(1, len(found) + 1)}
    text = "import typing as _t\ndef __getattr__(name: str) -> _t.Any: ...\n"
    return {f"{name.replace('.', '/')}/__init__": text for name in sorted(packages)}


def _insert(tree: dict[str, Any], path: list[str], line: str) -> None:
    for part in path[:-1]:
        inner = tree.get(part)
        if not isinstance(inner, dict):
            inner = tree[part] = {}
        tree = inner
    tree.setdefault(path[-1], line)


def _namespace(tree: Mapping[str, Any], name: str, classes: list[str]) -> str:
    lines: list[str] = []
    for key, value in tree.items():
        if isinstance(value, str):
            lines += ["    @_b.staticmethod", f"    {value}"]
        else:
            lines.append(f"    {key}: {_namespace(value, f'{name}_{key}', classes)}")
    classes.append("\n".join([f"class {name}:", *(lines or ["    ..."])]))
    return name


class _Writer:
    """Writes annotations; each object schema becomes a named TypedDict."""

    def __init__(self, *, exact: bool) -> None:
        self.definitions: list[str] = []
        self._exact = exact
        self._root: Schema = {}
        self._open: list[str] = []

    def function(self, name: str, spec: FunctionSpec) -> str:
        """Return the line that declares an environment function: keyword arguments only."""
        self._root = spec.parameters
        title = "".join(part.title() for part in spec.name.replace("_", ".").split("."))
        required = spec.parameters.get("required")
        names = required if isinstance(required, list) else []
        parameters = [
            f"{key}: {self.annotation(schema, f'{title}_{key}')}" + ("" if key in names else " = ...")
            for key, schema in _properties(spec.parameters).items()
            if _is_name(key)
        ]
        if len(parameters) < len(_properties(spec.parameters)):
            parameters.append("**_more: _t.Any")
        self._root = spec.returns
        star = "*, " if parameters and not parameters[0].startswith("**") else ""
        return f"def {name}({star}{', '.join(parameters)}) -> {self.annotation(spec.returns, title)}: ..."

    def tool(self, signature: Signature) -> str:
        """Return the line that declares a tool, its parameters of the kinds that its own `def` line gives them."""
        function = ast.parse(f"{signature.text}: ...").body[0]
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            raise ValueError(f"{signature.text!r} is not the first line of a function")
        properties = _properties(signature.parameters)
        for argument in ast.walk(function.args):
            if isinstance(argument, ast.arg):
                schema = properties.get(argument.arg, {})
                argument.annotation = _expression(self.annotation(schema, f"{signature.name}_{argument.arg}".title()))
        function.args.defaults = [ast.Constant(value=...) for _ in function.args.defaults]
        function.args.kw_defaults = [item and ast.Constant(value=...) for item in function.args.kw_defaults]
        function.returns = _expression(self.annotation(signature.returns, signature.name.title()))
        return ast.unparse(function)

    def annotation(self, schema: object, title: str) -> str:
        """Return the annotation that says what the schema says; Any where it says nothing or refers to itself."""
        if not isinstance(schema, Mapping):
            return "_t.Any"
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._referred(reference, title)
        if schema.get("nullable") is True:  # OpenAPI 3.0 says so in place of a union
            return _union([self.annotation({**schema, "nullable": False}, title), "None"])
        if schema.get("enum") or "const" in schema:
            return _literal(schema.get("enum") or [schema["const"]])
        if schema.get("allOf"):
            return self.annotation(_merged(schema), title)
        options = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(options, list) and options:
            return _union([self.annotation(option, f"{title}{n}") for n, option in enumerate(options)])
        kind = schema.get("type")
        if isinstance(kind, list) and kind:
            return _union([self.annotation({**schema, "type": item}, title) for item in kind])
        if kind == "array":
            return self._array(schema, title)
        if kind in {"object", "dict"}:
            return self._object(schema, title)
        return _SCALARS.get(str(kind), "_t.Any")

    def _referred(self, reference: str, title: str) -> str:
        target: object = self._root
        for part in reference.removeprefix("#/").split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        if reference in self._open:
            return "_t.Any"
        self._open.append(reference)
        try:
            return self.annotation(target, title)
        finally:
            self._open.pop()

    def _array(self, schema: Schema, title: str) -> str:
        prefix = schema.get("prefixItems")
        if isinstance(prefix, list) and prefix and not self._open:
            items = [self.annotation(item, f"{title}{n}") for n, item in enumerate(prefix)]
            return _union([f"_b.tuple[{', '.join(items)}]", "_b.list[_t.Any]"])
        return f"_b.list[{self.annotation(schema.get('items'), title + 'Item')}]"

    def _object(self, schema: Schema, title: str) -> str:
        properties, more = _properties(schema), schema.get("additionalProperties")
        if not properties and isinstance(more, Mapping) and more:
            return f"_b.dict[_b.str, {self.annotation(more, title + 'Value')}]"
        closed = properties and not more and self._exact and len(self.definitions) < MAX_TYPES
        return self._typed_dict(schema, title) if closed else "_b.dict[_b.str, _t.Any]"

    def _typed_dict(self, schema: Schema, title: str) -> str:
        required = schema.get("required")
        names = required if isinstance(required, list) else []
        fields: list[str] = []
        for key, inner in _properties(schema).items():
            text = self.annotation(inner, f"{title}_{key}" if _is_name(key) else f"{title}Field")
            fields.append(f"{json.dumps(key)}: {text if key in names else f'_t.NotRequired[{text}]'}")
        name = f"{''.join(filter(str.isidentifier, title)) or 'Object'}_{len(self.definitions)}"
        self.definitions.append(f'{name} = _t.TypedDict("{name}", {{{", ".join(fields)}}})')
        return name


def _merged(schema: Schema) -> Schema:
    """Return one schema for all the parts of `allOf`: their fields together; a later part wins over an earlier one."""
    parts = [part for part in schema["allOf"] if isinstance(part, Mapping)] if isinstance(schema["allOf"], list) else []
    whole: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
    properties, required = dict(_properties(schema)), list(schema.get("required") or [])
    for part in parts:
        whole |= part
        properties |= _properties(part)
        required += part.get("required") or []
    if properties:
        whole |= {"properties": properties, "required": required, "type": "object"}
    return whole


def _properties(schema: Schema) -> Mapping[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _is_name(text: str) -> bool:
    return text.isidentifier() and text.isascii() and not keyword.iskeyword(text) and not text.startswith("__")


def _literal(values: object) -> str:
    listed = values if isinstance(values, list) else []
    plain = [value for value in listed if value is None or isinstance(value, bool | int | str)]
    return f"_t.Literal[{', '.join(map(repr, plain))}]" if plain and len(plain) == len(listed) else "_t.Any"


def _union(options: list[str]) -> str:
    different = list(dict.fromkeys(options))
    return "_t.Any" if "_t.Any" in different else " | ".join(different)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
