"""Annotations as JSON schemas, read from the syntax tree: nothing is imported or executed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.source import shapes
from nucleate_tool_library.values import JsonObject

MAX_NODES = 2000

_SCALARS: dict[str, JsonObject] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "NoneType": {"type": "null"},
    "LiteralString": {"type": "string"},
}
_ARRAYS = frozenset({"list", "List", "Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "deque"})
_SETS = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet"})
_OBJECTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "Counter"})
_WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired", "ReadOnly"})


class AnnotationSchemas:
    """The types of one module. An annotation that it does not know gives `{}`: anything goes."""

    def __init__(self, module: ast.Module) -> None:
        self._imported = shapes.imported_names(module)
        self._classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
        self._aliases = shapes.aliases(module)
        self._open: list[str] = []
        self._nodes = 0

    def of(self, annotation: ast.expr | None) -> JsonObject:
        """Return the schema of an annotation; a recursive type is anything from its second level on."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise LibraryError(f"the annotations expand to more than {MAX_NODES} schema nodes; flatten the types")
        match annotation:
            case ast.Constant(value=None):
                return {"type": "null"}
            case ast.Constant(value=str() as text):
                return self.of(shapes.expression(text))
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._union([left, right])
            case ast.Name() | ast.Attribute():
                return self._named(self.name_of(annotation))
            case ast.Subscript(value=value, slice=inner):
                return self._generic(self.name_of(value), inner.elts if isinstance(inner, ast.Tuple) else [inner])
        return {}

    def name_of(self, node: ast.expr) -> str:
        """Return the name as its module defines it: `t.List` and an alias of `List` are both `List`."""
        if isinstance(node, ast.Attribute):
            return node.attr
        return self._imported.get(node.id, node.id) if isinstance(node, ast.Name) else ""

    def _named(self, name: str) -> JsonObject:
        if name in self._classes:
            return self._guarded(name, lambda: self._class(self._classes[name]))
        if name in self._aliases:
            return self._guarded(name, lambda: self.of(self._aliases[name]))
        if name in _SCALARS:
            return dict(_SCALARS[name])
        if name in _ARRAYS or name == "tuple":
            return {"type": "array"}
        if name in _SETS:
            return {"type": "array", "uniqueItems": True}
        return {"type": "object"} if name in _OBJECTS else {}

    def _guarded(self, name: str, build: Callable[[], JsonObject]) -> JsonObject:
        if name in self._open:
            return {}
        self._open.append(name)
        try:
            return build()
        finally:
            self._open.pop()

    def _generic(self, name: str, inner: Sequence[ast.expr]) -> JsonObject:
        if name == "Literal":
            return shapes.enumeration([value for item in inner for value in shapes.literal_values(item)])
        if name in {"Union", "Optional"}:
            return self._union([*inner, ast.Constant(value=None)] if name == "Optional" else list(inner))
        if name in _WRAPPERS:
            return self.of(inner[0])
        if name in _ARRAYS:
            return shapes.array(self.of(inner[0]))
        if name in _SETS:
            return shapes.array(self.of(inner[0])) | {"uniqueItems": True}
        if name in {"tuple", "Tuple"}:
            return self._tuple(inner)
        if name in _OBJECTS:
            return self._mapping(inner[-1]) if len(inner) == 2 else {"type": "object"}
        return {}

    def _tuple(self, inner: Sequence[ast.expr]) -> JsonObject:
        match inner:
            case [item, ast.Constant(value=value)] if value is ...:
                return shapes.array(self.of(item))
            case [ast.Tuple(elts=[])]:
                return {"type": "array", "maxItems": 0}
        items = [self.of(item) for item in inner]
        return {"type": "array", "prefixItems": [*items], "minItems": len(items), "maxItems": len(items)}

    def _mapping(self, value: ast.expr) -> JsonObject:
        schema = self.of(value)
        return {"type": "object", "additionalProperties": schema} if schema else {"type": "object"}

    def _union(self, members: Sequence[ast.expr]) -> JsonObject:
        schemas: list[JsonObject] = []
        for member in members:
            schema = self.of(member)
            parts = shapes.objects(schema["anyOf"]) if set(schema) == {"anyOf"} else [schema]
            schemas += [part for part in parts if part not in schemas]
        if {} in schemas:
            return {}
        return schemas[0] if len(schemas) == 1 else {"anyOf": [*schemas]}

    def _class(self, node: ast.ClassDef) -> JsonObject:
        bases = [self.name_of(base) for base in node.bases]
        if any(base in {"Enum", "StrEnum", "IntEnum"} for base in bases):
            return shapes.enumeration(shapes.members(node, lower="StrEnum" in bases))
        if self.is_typed_dict(node) or shapes.is_dataclass(node):
            return self._record(node)
        return {}

    def is_typed_dict(self, node: ast.ClassDef) -> bool:
        """Return whether a class is a TypedDict, directly or through a class of this module."""
        bases = [self.name_of(base) for base in node.bases]
        parents = [self._classes[base] for base in bases if base in self._classes and base != node.name]
        return "TypedDict" in bases or any(
            "TypedDict" in [self.name_of(base) for base in parent.bases] for parent in parents
        )

    def _record(self, node: ast.ClassDef) -> JsonObject:
        properties: JsonObject = {}
        required: list[str] = []
        for base in node.bases:
            parent = self._named(self.name_of(base)) if self.name_of(base) in self._classes else {}
            properties |= shapes.mapping(parent.get("properties"))
            required += shapes.strings(parent.get("required"))
        for item in shapes.fields(node):
            properties[item.name] = self.of(item.annotation)
            if item.required and item.name not in required:
                required.append(item.name)
        return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
