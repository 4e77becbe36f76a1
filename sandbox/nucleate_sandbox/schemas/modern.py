"""Strangers' schemas of drafts 4 to 2020-12, and the usual invalid ones, as valid schemas of draft 2020-12.

A fault costs a keyword, never the schema. Source: the drafts' own migration notes
(https://json-schema.org/draft/2020-12/release-notes, https://json-schema.org/draft/2019-09/release-notes,
https://json-schema.org/draft-06/json-schema-release-notes).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast
from urllib.parse import unquote

from nucleate_sandbox.json_values import Json, JsonObject

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
MAX_DEPTH = 100
ONE = frozenset(
    {"not", "if", "then", "else", "items", "additionalProperties", "contains", "propertyNames", "contentSchema"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)
SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
GONE = frozenset({"$schema", "$vocabulary", "$recursiveAnchor", "additionalItems", "dependencies", "id"})
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]{0,200}")
_WHERE = re.compile(r"[^#]{0,2000}#?")

Rule: TypeAlias = Callable[[Json], Json]


class _Faulty(Exception):
    """A keyword has a value that the draft does not allow."""


def modern(schema: Json) -> JsonObject:
    """Return the schema in draft 2020-12, without the keywords that are not valid; `{}` for what is no schema.

    `false` is `{"not": {}}`. Values (`default`, `const`, `enum`, `examples`) and unknown keywords stay as they are.
    """
    told = _Reading(schema).schema(schema, "#")
    return told if isinstance(told, dict) else {} if told else {"not": {}}


class _Reading:
    """One pass from the root; it remembers which schema around a place is the one that `$recursiveRef` means."""

    def __init__(self, root: Json) -> None:
        self._root = root
        self._anchors = ["#"]
        self._depth = 0

    def schema(self, schema: Json, where: str) -> Json:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict) or self._depth > MAX_DEPTH:
            return True
        anchored = schema.get("$recursiveAnchor") is True
        self._depth += 1
        self._anchors += [where] if anchored else []
        try:
            return self._keywords(_renamed(schema), where)
        finally:
            self._depth -= 1
            if anchored:
                self._anchors.pop()

    def _keywords(self, schema: JsonObject, where: str) -> JsonObject:
        kept: JsonObject = {}
        for word, value in schema.items():
            if word == "$recursiveRef":
                kept.setdefault("$ref", self._anchors[-1])
                continue
            try:
                kept[word] = self._value(word, value, f"{where}/{_step(word)}")
            except _Faulty:
                continue
        return kept

    def _value(self, word: str, value: Json, where: str) -> Json:
        if word in ONE:
            return self._one(value, where)
        if word in SEVERAL:
            return self._several(value, where)
        if word in NAMED:
            return self._named(value, where)
        if word == "$ref" and isinstance(value, str):
            return _moved(value, self._root)
        rule = RULES.get(word)
        return value if rule is None else rule(value)

    def _one(self, value: Json, where: str) -> Json:
        if not isinstance(value, dict | bool):
            raise _Faulty
        return self.schema(value, where)

    def _several(self, value: Json, where: str) -> Json:
        if not isinstance(value, list):
            raise _Faulty
        # One that is no schema says nothing, but its place counts: the others must not move up.
        kept = [self.schema(item, f"{where}/{number}") for number, item in enumerate(value)]
        return kept or _fault()

    def _named(self, value: Json, where: str) -> Json:
        if not isinstance(value, dict):
            raise _Faulty
        return {name: self.schema(item, f"{where}/{_step(name)}") for name, item in value.items()}


def _renamed(schema: JsonObject) -> JsonObject:
    """Say with the words of 2020-12 what older drafts and OpenAPI 3.0 say with others."""
    old = GONE | {"items", "exclusiveMinimum", "exclusiveMaximum"}
    if not old & schema.keys():
        return schema
    told: JsonObject = {}
    for word, value in schema.items():
        if word not in GONE:
            told |= _reworded(word, value, schema)
    for word, value in _dependencies(schema.get("dependencies")).items():
        told.setdefault(word, value)
    return told


def _reworded(word: str, value: Json, schema: JsonObject) -> JsonObject:
    if word == "items" and isinstance(value, list):
        rest = schema.get("additionalItems")
        after: JsonObject = {"items": rest} if isinstance(rest, dict | bool) else {}
        return {"prefixItems": value, **after} if value else after
    if word in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        bound = schema.get(_plain(word))
        return {word: bound} if value and bound is not None else {}
    if word in ("minimum", "maximum") and schema.get(f"exclusive{word.capitalize()}") is True:
        return {}
    return {word: value}


def _moved(reference: str, root: Json) -> str:
    """Return a local reference with its steps as `_renamed` names them: `#/items/0` is `#/prefixItems/0`."""
    if not reference.startswith("#/"):
        return reference
    node, steps, named = root, [], False
    for step in reference[2:].split("/"):
        listed = isinstance(node, dict) and isinstance(node.get("items"), list)
        lists: dict[str, str] = {"items": "prefixItems", "additionalItems": "items"} if listed else {}
        steps.append(step if named else {**lists, "dependencies": "dependentSchemas"}.get(step, step))
        named = not named and step in NAMED  # what follows is a name of the author's
        node = _child(node, unquote(step).replace("~1", "/").replace("~0", "~"))
    return "#/" + "/".join(steps)


def _child(node: Json, step: str) -> Json:
    if isinstance(node, list):
        return node[int(step)] if step.isdecimal() and len(step) < 8 and int(step) < len(node) else None
    return node.get(step) if isinstance(node, dict) else None


def _plain(word: str) -> str:
    return word.removeprefix("exclusive").lower()


def _dependencies(value: Json) -> JsonObject:
    pairs = value.items() if isinstance(value, dict) else ()
    needed: JsonObject = {name: item for name, item in pairs if isinstance(item, list)}
    shaped: JsonObject = {name: item for name, item in pairs if isinstance(item, dict | bool)}
    told: JsonObject = {"dependentRequired": needed} if needed else {}
    return {**told, "dependentSchemas": shaped} if shaped else told


def _fault() -> Json:
    raise _Faulty


def _step(word: str) -> str:
    return word.replace("~", "~0").replace("/", "~1").replace("%", "%25")


def _type(value: Json) -> Json:
    named = [value] if isinstance(value, str) else value
    if not isinstance(named, list):
        raise _Faulty
    told = list(dict.fromkeys(item.lower() for item in named if isinstance(item, str)))
    if not told or len(told) < len(set(map(str, named))) or not TYPES.issuperset(told):
        raise _Faulty
    return told[0] if isinstance(value, str) else cast("Json", told)


def _names(value: Json) -> Json:
    if not isinstance(value, list):
        raise _Faulty
    return cast("Json", list(dict.fromkeys(item for item in value if isinstance(item, str))))


def _name_lists(value: Json) -> Json:
    if not isinstance(value, dict):
        raise _Faulty
    return {name: _names(item) for name, item in value.items() if isinstance(item, list)}


def _count(value: Json) -> Json:
    whole = isinstance(value, float) and value.is_integer()
    if isinstance(value, bool) or not (isinstance(value, int) or whole) or int(cast("float", value)) < 0:
        raise _Faulty
    return int(cast("float", value))


def _number(value: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Faulty
    return value


def _factor(value: Json) -> Json:
    if cast("float", _number(value)) <= 0:
        raise _Faulty
    return value


def _kind(*kinds: type) -> Rule:
    def rule(value: Json) -> Json:
        if not isinstance(value, kinds):
            raise _Faulty
        return value

    return rule


def _matching(expression: re.Pattern[str]) -> Rule:
    def rule(value: Json) -> Json:
        if not isinstance(value, str) or not expression.fullmatch(value):
            raise _Faulty
        return value

    return rule


def _choices(value: Json) -> Json:
    if not isinstance(value, list) or not value:
        raise _Faulty
    return value


RULES: Mapping[str, Rule] = {
    "type": _type,
    "enum": _choices,
    "required": _names,
    "dependentRequired": _name_lists,
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _count),
    **dict.fromkeys(("minContains", "maxContains"), _count),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    "multipleOf": _factor,
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _kind(bool)),
    **dict.fromkeys(("pattern", "format", "title", "description", "$comment", "$ref", "$dynamicRef"), _kind(str)),
    **dict.fromkeys(("contentMediaType", "contentEncoding"), _kind(str)),
    "examples": _kind(list),
    "$id": _matching(_WHERE),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _matching(_ANCHOR)),
}
