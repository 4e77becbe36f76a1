"""OpenAI's strict form: every object closed, every field required, what is optional may be null.

A null is then "use the default", and is taken out again before the tool is called. So a parameter to which null is a
value of its own, beside another default, has no strict form; nor has anything that takes keys or values of any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from nucleate.exports.schemas.references import inlined, target, validator
from nucleate.exports.schemas.schema_values import LooseSchema, branches, mapping, objects, strings
from nucleate.exports.schemas.short_descriptions import noted, shown
from nucleate.exports.schemas.strict_limits import check_first_keys, check_size
from nucleate_sandbox import Json, JsonObject

NULL: JsonObject = {"type": "null"}
FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
NUMBERS = frozenset({"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"})
KEPT: Mapping[str, frozenset[str]] = {
    "string": frozenset({"pattern", "format"}),
    "integer": NUMBERS,
    "number": NUMBERS,
    "array": frozenset({"minItems", "maxItems"}),
}
UNSAYABLE = frozenset(
    {"not", "if", "then", "else", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"}
    | {"contains", "unevaluatedItems", "$dynamicRef"}
)
SAID = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
    "pattern": "matches {}",
    "format": "format {}",
}


def strict(root: JsonObject) -> JsonObject:
    """Return an object schema in strict form; raise Loose, which says what has none."""
    schema = _Strict(root).root()
    check_size(schema)
    return schema


class _Strict:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._fits = validator(root)
        self._forms: Mapping[str, Callable[[JsonObject, str], JsonObject]] = {
            "object": self._object,
            "array": self._array,
        }

    def root(self) -> JsonObject:
        plain = {key: value for key, value in self._root.items() if key != "$defs"}
        schema = self._object(plain, "the tool")
        used = sorted(_references(schema))
        named: JsonObject = {}
        while used:
            name = used.pop(0)
            if name not in named:
                named[name] = self._of(mapping(mapping(self._root.get("$defs")).get(name)), name)
                used += sorted(_references(named[name]))
        return {**schema, "$defs": dict(sorted(named.items()))} if named else schema

    def _of(self, schema: Json, where: str) -> JsonObject:
        if not isinstance(schema, dict):
            raise LooseSchema(f"{where} may be anything")
        if "$ref" in schema:
            return self._reference(schema, where)
        if found := sorted(UNSAYABLE & schema.keys()):
            raise LooseSchema(f"{where} is described by {found[0]!r}")
        parts = objects(schema.get("allOf"))
        if len(parts) == 1:
            return self._of({**_without(schema, "allOf"), **parts[0]}, where)
        if parts:
            raise LooseSchema(f"{where} must be several types at once")
        if alternatives := branches(schema):
            return self._union(schema, alternatives, where)
        if "enum" in schema or "const" in schema:
            return self._values(schema, where)
        return self._typed(schema, where)

    def _reference(self, schema: JsonObject, where: str) -> JsonObject:
        """Write out what ends; keep a reference to a type that holds itself, with its words around it."""
        try:
            return self._of(inlined(schema, self._root), where)
        except LooseSchema:
            target(schema, self._root)
            if schema["$ref"] == "#":
                raise
        kept: JsonObject = {"$ref": schema["$ref"]}
        return noted({"anyOf": [kept], **_words(schema)}, _default(schema)) if len(schema) > 1 else kept

    def _typed(self, schema: JsonObject, where: str) -> JsonObject:
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._union(schema, [{**_without(schema, "type"), "type": item} for item in kind], where)
        if not isinstance(kind, str):
            raise LooseSchema(f"{where} may be anything")
        form = self._forms.get(kind)
        return form(schema, where) if form is not None else _closed({"type": kind}, schema)

    def _union(self, schema: JsonObject, alternatives: list[JsonObject], where: str) -> JsonObject:
        found: list[JsonObject] = []
        for number, item in enumerate(alternatives, start=1):
            strict_item = self._of(item, f"{where}, alternative {number}")
            nested = objects(strict_item["anyOf"]) if strict_item.keys() == {"anyOf"} else [strict_item]
            found += [part for part in nested if part not in found]
        check_first_keys(found, self._root, where)
        return noted({"anyOf": [*found], **_words(schema)}, _default(schema))

    def _values(self, schema: JsonObject, where: str) -> JsonObject:
        given = schema["enum"] if "enum" in schema else [schema["const"]]
        values = given if isinstance(given, list) else []
        by_type: dict[str, list[Json]] = {}
        for value in values:
            by_type.setdefault(_scalar(value, where), []).append(value)
        found: list[JsonObject] = [
            dict(NULL) if kind == "null" else {"type": kind, "enum": items} for kind, items in by_type.items()
        ]
        return _closed(found[0] if len(found) == 1 else {"anyOf": [*found]}, _without(schema, "enum", "const"))

    def _object(self, schema: JsonObject, where: str) -> JsonObject:
        properties = mapping(schema.get("properties"))
        others = schema.get("additionalProperties", not properties and where != "the tool")
        if others is not False:
            raise LooseSchema(f"{where} takes keys of any name")
        required = strings(schema.get("required"))
        named = {name: self._field(item, name, name in required, where) for name, item in properties.items()}
        closed: JsonObject = {"type": "object", "properties": dict(named)}
        return {
            **_closed(closed, schema),
            "required": list[Json](named),
            "additionalProperties": False,
        }

    def _field(self, item: Json, name: str, required: bool, where: str) -> JsonObject:
        here = name if where == "the tool" else f"{where}.{name}"
        if required:
            return self._of(item, here)
        schema = mapping(item)
        strict_item = self._of(_without(schema, "default"), here)
        if self._fits.evolve(schema=schema).is_valid(None):
            if "default" not in schema or schema["default"] is not None:
                raise LooseSchema(
                    f"null is a value of {here} and not its default, so nothing is left to say 'the default'"
                )
            return strict_item
        note = f"null: the default, {shown(schema['default'])}" if "default" in schema else "null: leave it out"
        return noted(_nullable(strict_item), note)

    def _array(self, schema: JsonObject, where: str) -> JsonObject:
        prefix = schema.get("prefixItems")
        if isinstance(prefix, list):
            return self._tuple(schema, prefix, where)
        if schema.get("items") is False and schema.get("maxItems") == 0:
            raise LooseSchema(f"{where} is always empty")
        items = self._of(schema.get("items"), f"each item of {where}")
        notes = ("no item twice",) if schema.get("uniqueItems") else ()
        return noted(_closed({"type": "array", "items": items}, schema), *notes)

    def _tuple(self, schema: JsonObject, prefix: list[Json], where: str) -> JsonObject:
        if not prefix or any(item != prefix[0] for item in prefix):
            raise LooseSchema(f"each place of {where} has a type of its own")
        size: JsonObject = {"minItems": len(prefix), "maxItems": len(prefix)}
        items = self._of(prefix[0], f"each item of {where}")
        return _closed({"type": "array", "items": items}, {**schema, **size})


def _closed(form: JsonObject, schema: JsonObject) -> JsonObject:
    """Return a form with the limits that strict mode knows; the others are said in words."""
    kept = KEPT.get(str(form.get("type")), frozenset())
    limits = {key: value for key, value in schema.items() if key in kept and _is_known(key, value)}
    notes = [text.format(schema[key]) for key, text in SAID.items() if key in schema and key not in limits]
    return noted({**form, **limits, **_words(schema)}, *notes, _default(schema))


def _is_known(key: str, value: Json) -> bool:
    if key == "format":
        return value in FORMATS
    return key != "pattern" or "(?" not in str(value)


def _default(schema: JsonObject) -> str:
    return f"default {shown(schema['default'])}" if schema.get("default") is not None else ""


def _words(schema: JsonObject) -> JsonObject:
    text = schema.get("description")
    return {"description": text} if isinstance(text, str) and text else {}


def _without(schema: JsonObject, *keys: str) -> JsonObject:
    return {key: value for key, value in schema.items() if key not in keys}


def _nullable(schema: JsonObject) -> JsonObject:
    if "anyOf" in schema:
        return {**schema, "anyOf": [*objects(schema["anyOf"]), dict(NULL)]}
    return {"anyOf": [_without(schema, "description"), dict(NULL)], **_words(schema)}


def _scalar(value: Json, where: str) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
    raise LooseSchema(f"{where} is one of values that are lists or objects")


def _references(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.rpartition("/")[2]
    for item in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _references(item)
