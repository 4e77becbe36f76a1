"""An OpenAPI 3 document as descriptions of functions: each operation is one, its method says what it does."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate.environments.openapi_schemas import Components
from nucleate.environments.words import identifier
from nucleate_sandbox import Effect, Json, JsonObject

EFFECTS = {
    "get": Effect.READ,
    "head": Effect.READ,
    "options": Effect.READ,
    "trace": Effect.READ,
    "put": Effect.WRITE,
    "post": Effect.WRITE,
    "patch": Effect.WRITE,
    "delete": Effect.DESTRUCTIVE,
}


def is_openapi(content: Json) -> bool:
    """Return whether this is an OpenAPI document of version 3."""
    return isinstance(content, dict) and str(content.get("openapi", "")).startswith("3.")


def operations(document: JsonObject) -> Iterator[JsonObject]:
    """Yield every operation in the form of a function file; raise ValueError for a reference that leads nowhere."""
    components = Components(document)
    for path, item in _objects(document.get("paths")):
        for method, operation in _objects(item):
            if method in EFFECTS:
                yield _function(path, method, item, operation, components)


def _function(path: str, method: str, item: JsonObject, operation: JsonObject, components: Components) -> JsonObject:
    given = operation.get("operationId")
    words = [operation.get(key) for key in ("summary", "description")]
    return {
        "name": identifier(given if isinstance(given, str) else f"{method} {path}"),
        "doc": next((word for word in words if isinstance(word, str) and word), ""),
        "parameters": components.closed(_parameters(item, operation, components)),
        "returns": components.closed(_returns(operation, components)),
        "effect": EFFECTS[method].value,
    }


def _parameters(item: JsonObject, operation: JsonObject, components: Components) -> JsonObject:
    """Return one object schema of path, query and header parameters and the fields of the body.

    A body that is no object, or shares a name with a parameter, is the one argument `body`.
    """
    properties: JsonObject = {}
    required: list[Json] = []
    for parameter in [*_list(item.get("parameters")), *_list(operation.get("parameters"))]:
        known = components.resolved(parameter)
        name = identifier(str(known.get("name", "")))
        if known.get("in") == "cookie":
            continue
        words = known.get("description")
        described: JsonObject = {"description": words} if isinstance(words, str) else {}
        properties[name] = {**components.schema(_schema_of(known)), **described}
        if known.get("required") is True and name not in required:
            required.append(name)
    _add_body(operation, components, properties, required)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _add_body(operation: JsonObject, components: Components, properties: JsonObject, required: list[Json]) -> None:
    body = components.resolved(operation.get("requestBody"))
    schema = components.schema(_schema_of(body))
    if not schema:
        return
    whole = components.resolved(_schema_of(body))
    fields = components.schema(whole).get("properties")
    mandatory = body.get("required") is True
    if not isinstance(fields, dict) or fields.keys() & properties.keys() or not all(map(str.isidentifier, fields)):
        properties["body"] = schema
        required += ["body"] if mandatory else []
        return
    properties.update(fields)
    required += [name for name in _list(whole.get("required")) if mandatory and name not in required]


def _returns(operation: JsonObject, components: Components) -> JsonObject:
    """Return the schema of the first answer that is a success; {} (anything) where none is described."""
    answers = dict(_objects(operation.get("responses")))
    good = sorted(code for code in answers if code.startswith("2")) + [code for code in answers if code == "default"]
    for code in good:
        schema = components.schema(_schema_of(components.resolved(answers[code])))
        if schema:
            return schema
        if code == "204":
            return {"type": "null"}
    return {}


def _schema_of(holder: JsonObject) -> JsonObject:
    """Return the schema that a parameter, a body or an answer holds, for JSON where there are several media."""
    schema = holder.get("schema")
    if isinstance(schema, dict):
        return schema
    media = dict(_objects(holder.get("content")))
    json_first = sorted(media, key=lambda name: ("json" not in name, name))
    found = media[json_first[0]].get("schema") if json_first else None
    return found if isinstance(found, dict) else {}


def _objects(value: Json) -> Iterator[tuple[str, JsonObject]]:
    pairs = value.items() if isinstance(value, dict) else ()
    return ((key, item) for key, item in pairs if isinstance(item, dict))


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
