"""A document of the generation before OpenAPI 3 (Swagger 2.0), said in the words of version 3.

Source: https://swagger.io/specification/v2/ and https://spec.openapis.org/oas/v3.0.3.
"""

from __future__ import annotations

from typing import cast

from nucleate.environments.openapi.openapi_values import items, objects
from nucleate_sandbox import Json, JsonObject

MOVED = {
    "#/definitions/": "#/components/schemas/",
    "#/parameters/": "#/components/parameters/",
    "#/responses/": "#/components/responses/",
}
# What a parameter says of its value itself in version 2, and in its schema in version 3.
OF_A_SCHEMA = frozenset(
    {"type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength"}
    | {"minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf"}
)
STYLES: dict[Json, JsonObject] = {
    "csv": {"explode": False},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
    "multi": {"style": "form", "explode": True},
}
OF_AN_OPERATION = frozenset({"consumes", "produces", "schemes"})
FLOWS = {"accessCode": "authorizationCode", "application": "clientCredentials"}
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MAX_DEPTH = 100


def is_swagger(content: Json) -> bool:
    """Return whether this is a document of version 2."""
    return isinstance(content, dict) and str(content.get("swagger", "")).startswith("2.")


def upgraded(document: JsonObject) -> JsonObject:
    """Return the document in version 3. What cannot be said there is left out."""
    moved = cast("JsonObject", _moved(document, 0))
    shared = dict(objects(moved.get("parameters")))
    plain: JsonObject = {name: _parameter(item) for name, item in shared.items() if not _in_body(item)}
    bodies: JsonObject = {name: item for name, item in shared.items() if _in_body(item)}
    media = items(moved.get("consumes"))
    paths: JsonObject = {path: _path(item, bodies, media) for path, item in objects(moved.get("paths"))}
    components: JsonObject = {
        "schemas": moved.get("definitions") or {},
        "parameters": plain,
        "responses": {name: _response(item) for name, item in objects(moved.get("responses"))},
        "securitySchemes": {name: _scheme(item) for name, item in objects(moved.get("securityDefinitions"))},
    }
    kept: JsonObject = {key: moved[key] for key in ("info", "security", "tags") if key in moved}
    return {"openapi": "3.0.3", **kept, "servers": _servers(moved), "paths": paths, "components": components}


def _moved(node: Json, depth: int) -> Json:
    """Return a part with its references where version 3 has what they mean."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(node, list):
        return [_moved(item, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    told = {key: _moved(item, depth + 1) for key, item in node.items()}
    reference = told.get("$ref")
    if isinstance(reference, str):
        for old, new in MOVED.items():
            if reference.startswith(old):
                told["$ref"] = new + reference.removeprefix(old)
    return told


def _servers(document: JsonObject) -> list[Json]:
    host, base = document.get("host"), document.get("basePath")
    path = base if isinstance(base, str) else ""
    schemes = [scheme for scheme in items(document.get("schemes")) if scheme in ("http", "https")]
    scheme = "https" if "https" in schemes or not schemes else "http"
    if isinstance(host, str) and host:
        return [{"url": f"{scheme}://{host}{path}"}]
    return [{"url": path}] if path else []


def _path(item: JsonObject, bodies: JsonObject, media: list[Json]) -> JsonObject:
    above = items(item.get("parameters"))
    told: JsonObject = {
        method: _operation(operation, above, bodies, media) if _is_operation(method, operation) else operation
        for method, operation in item.items()
    }
    return {**told, "parameters": _plain(above, bodies)}


def _is_operation(method: str, operation: Json) -> bool:
    return isinstance(operation, dict) and method != "parameters" and not method.startswith(("x-", "$"))


def _plain(parameters: list[Json], bodies: JsonObject) -> list[Json]:
    return [_parameter(one) for one in parameters if not _is_body(one, bodies)]


def _operation(operation: Json, above: list[Json], bodies: JsonObject, media: list[Json]) -> JsonObject:
    assert isinstance(operation, dict)
    own = items(operation.get("parameters"))
    told: JsonObject = {
        key: value for key, value in operation.items() if key not in ("consumes", "produces", "schemes")
    }
    told["parameters"] = _plain(own, bodies)
    parts = [part for one in [*above, *own] if (part := _body_part(one, bodies)) is not None]
    if parts:
        told["requestBody"] = _body(parts, items(operation.get("consumes")) or media)
    told["responses"] = {code: _response(answer) for code, answer in objects(operation.get("responses"))}
    return told


def _in_body(parameter: Json) -> bool:
    return isinstance(parameter, dict) and parameter.get("in") in ("body", "formData")


def _is_body(parameter: Json, bodies: JsonObject) -> bool:
    return _body_part(parameter, bodies) is not None


def _body_part(parameter: Json, bodies: JsonObject) -> JsonObject | None:
    """Return a parameter that stands in the body, also one that is referred to."""
    if not isinstance(parameter, dict):
        return None
    reference = parameter.get("$ref")
    name = reference.removeprefix(MOVED["#/parameters/"]) if isinstance(reference, str) else ""
    found = bodies.get(name, parameter)
    return found if isinstance(found, dict) and _in_body(found) else None


def _body(parts: list[JsonObject], media: list[Json]) -> JsonObject:
    named = [kind for kind in media if isinstance(kind, str)]
    whole = next((part for part in parts if part.get("in") == "body"), None)
    if whole is not None:
        content: JsonObject = {kind: {"schema": whole.get("schema") or {}} for kind in named or [JSON]}
        return {"required": whole.get("required") is True, "content": content}
    properties: JsonObject = {str(part.get("name")): _schema(part) for part in parts}
    required: list[Json] = [str(part.get("name")) for part in parts if part.get("required") is True]
    schema: JsonObject = {"type": "object", "properties": properties, "required": required}
    return {"required": bool(required), "content": {kind: {"schema": schema} for kind in named or [FORM]}}


def _parameter(parameter: Json) -> Json:
    if not isinstance(parameter, dict) or "$ref" in parameter:
        return parameter
    kept: JsonObject = {key: value for key, value in parameter.items() if key not in OF_A_SCHEMA}
    kept.pop("collectionFormat", None)
    style = STYLES.get(parameter.get("collectionFormat", "csv"), {}) if parameter.get("type") == "array" else {}
    return {**kept, **style, "schema": _schema(parameter)}


def _schema(parameter: JsonObject) -> JsonObject:
    told: JsonObject = {key: value for key, value in parameter.items() if key in OF_A_SCHEMA}
    if told.get("type") == "file":
        return {"type": "string", "format": "binary"}
    words = parameter.get("description")
    return {**told, "description": words} if isinstance(words, str) else told


def _response(answer: Json) -> Json:
    if not isinstance(answer, dict) or "schema" not in answer:
        return answer
    kept: JsonObject = {key: value for key, value in answer.items() if key not in ("schema", "examples", "headers")}
    return {**kept, "content": {JSON: {"schema": answer["schema"]}}}


def _scheme(scheme: JsonObject) -> JsonObject:
    if scheme.get("type") == "basic":
        return {"type": "http", "scheme": "basic"}
    if scheme.get("type") != "oauth2":
        return scheme
    flow = str(scheme.get("flow"))
    told: JsonObject = {key: scheme[key] for key in ("authorizationUrl", "tokenUrl", "scopes") if key in scheme}
    return {"type": "oauth2", "flows": {FLOWS.get(flow, flow): told}}
