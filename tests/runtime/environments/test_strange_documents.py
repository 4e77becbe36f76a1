"""API documents and schemas as strangers write them: a fault costs a keyword, never an operation or a document."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nucleate.environments import read_functions
from nucleate.environments.openapi.openapi_environment import OpenApiEnvironment
from nucleate.environments.yaml_values import yaml_value
from nucleate.executor.showing import functions_text
from nucleate.exports.schemas.providers import anthropic_tool, gemini_tool, openai_tool
from nucleate.exports.schemas.schema_values import LooseSchema, Unrepresentable
from nucleate_codifier.admission.properties.strategies import values_of
from nucleate_codifier.admission.typing.stubs import environment_stub
from nucleate_sandbox import FunctionSpec, Json, JsonObject
from nucleate_sandbox.schemas import modern

BASE = "http://127.0.0.1:9"
COMPONENTS: JsonObject = {
    "Count": {"type": "object", "properties": {"all": {"type": "integer"}}},
    "Row[Item]": {"type": "object", "properties": {"name": {"type": "string"}}},
    "Filter": {
        "$recursiveAnchor": True,
        "type": "object",
        "properties": {"any": {"type": "array", "items": {"$recursiveRef": "#"}}},
    },
}
FILTER: JsonObject = {
    "type": "object",
    "properties": {"any": {"type": "array", "items": {"$ref": "#/$defs/Filter"}}},
}


def document(operation: JsonObject, path: str = "/rows") -> JsonObject:
    return {
        "openapi": "3.0.3",
        "paths": {
            "/rows/{id}": {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]},
            path: {"post": {"operationId": "do", **operation}},
        },
        "components": {"schemas": COMPONENTS},
    }  # fmt: skip


def only(content: JsonObject) -> FunctionSpec:
    environment = OpenApiEnvironment("rows", content, base_url=BASE)
    assert environment.unusable == {}
    return environment.functions["rows.do"]


def answer(schema: JsonObject) -> JsonObject:
    return {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}


@pytest.mark.parametrize(
    ("schema", "returns"),
    [
        ({"$ref": "#/components/schemas/Count/properties/all"}, {"type": "integer"}),
        ({"$ref": "#/components/schemas/Row%5BItem%5D"}, COMPONENTS["Row[Item]"]),
        ({"$ref": "#/components/schemas/Filter"}, {"$ref": "#/$defs/Filter", "$defs": {"Filter": FILTER}}),
        ({"$ref": "#/components/schemas/Nowhere", "type": "object"}, {"type": "object"}),
        ({"type": "object", "required": ["id", "id"]}, {"type": "object", "required": ["id"]}),
        ({"type": "array", "items": [{"type": "null"}]}, {"type": "array", "prefixItems": [{"type": "null"}]}),
        ({"type": "strnig", "minLength": "1"}, {}),
        (
            {"type": "number", "minimum": 0, "exclusiveMinimum": True, "nullable": True},
            {"type": ["number", "null"], "exclusiveMinimum": 0},
        ),
    ],
)
def test_an_answers_schema_is_read_and_a_fault_costs_a_keyword(schema: JsonObject, returns: Json) -> None:
    assert only(document(answer(schema))).returns == returns


@pytest.mark.parametrize(
    ("parameters", "path", "names"),
    [
        ([{"$ref": "#/paths/~1rows~1%7Bid%7D/parameters/0"}], "/rows/{id}/parts", ["id"]),
        ([{"$ref": "#/nowhere"}, {"name": "q", "in": "query"}], "/rows", ["q"]),
        ([], "/rows/{number}/parts", ["number"]),
    ],
)
def test_a_parameter_that_cannot_be_read_costs_itself(parameters: list[Json], path: str, names: list[str]) -> None:
    spec = only(document({"parameters": parameters}, path))
    assert spec.parameters["required"] == (names if path != "/rows" else [])
    assert list(spec.parameters["properties"]) == names  # type: ignore[arg-type]


def test_a_body_that_leads_nowhere_is_any_json() -> None:
    assert only(document({"requestBody": {"$ref": "#/nowhere"}})).parameters["properties"] == {"body": {}}


SWAGGER: JsonObject = {
    "swagger": "2.0",
    "host": "rows.example",
    "basePath": "/v1",
    "schemes": ["http", "https"],
    "paths": {
        "/rows/{id}": {
            "parameters": [{"$ref": "#/parameters/id"}],
            "put": {
                "operationId": "do",
                "parameters": [
                    {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
                    {"name": "row", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Row"}},
                ],
                "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Row"}}},
            },
            "post": {
                "operationId": "send",
                "consumes": ["multipart/form-data"],
                "parameters": [{"name": "note", "in": "formData", "type": "string", "required": True}],
                "responses": {"204": {"description": "ok"}},
            },
        }
    },
    "parameters": {"id": {"name": "id", "in": "path", "required": True, "type": "integer"}},
    "definitions": {"Row": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
}  # fmt: skip


def test_a_document_of_the_generation_before_is_read() -> None:
    functions = read_functions(json.dumps(SWAGGER), environment="rows").functions
    assert functions["rows.do"].parameters == {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "name": {"type": "string"},
        },
        "required": ["id", "name"],
        "additionalProperties": False,
    }
    assert functions["rows.do"].returns == {**SWAGGER["definitions"]["Row"]}  # type: ignore[index,call-overload,dict-item]
    assert functions["rows.send"].returns == {"type": "null"}


def test_yaml_says_no_and_off_as_texts() -> None:
    told = yaml_value("a: no\nb: off\nc: true\nd: 12:30\ne: 2020-01-01\nf: 010\ng: 0x1F\nh: ~\ni: 1.5\nno: y\n")
    assert told == {
        "a": "no", "b": "off", "c": True, "d": "12:30", "e": "2020-01-01", "f": 10, "g": 31, "h": None, "i": 1.5, "no": "y"
    }  # fmt: skip
    assert list(told) == [*"abcdefghi", "no"]


VALUES = st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from(["string", "#", "^a", "^(("])
NAMES = st.sampled_from(["a", "b-c", "class"])
SCHEMAS: st.SearchStrategy[Json] = st.deferred(
    lambda: (
        st.booleans()
        | st.fixed_dictionaries(
            {},
            optional={
                "type": st.sampled_from(["string", "integer", "number", "object", "array", "null", ["string", "null"]]),
                "properties": st.dictionaries(NAMES, SCHEMAS, max_size=2),
                "items": SCHEMAS | st.lists(SCHEMAS, max_size=2),
                "prefixItems": st.lists(SCHEMAS, max_size=2),
                **dict.fromkeys(("anyOf", "oneOf", "allOf"), st.lists(SCHEMAS, max_size=2)),
                **dict.fromkeys(("additionalProperties", "not", "if", "then", "contains", "propertyNames"), SCHEMAS),
                **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), SCHEMAS),
                "patternProperties": st.dictionaries(st.sampled_from(["^x", "^(("]), SCHEMAS, max_size=1),
                "$ref": st.sampled_from(["#", "#/properties/a", "#/$defs/a", "#/nowhere"]),
                "$defs": st.dictionaries(st.just("a"), SCHEMAS, max_size=1),
                "pattern": st.sampled_from(["^a", r"^\p{L}+$", "(("]),
                "required": st.lists(NAMES, max_size=3),
                "enum": st.lists(VALUES, max_size=3),
                "const": VALUES,
                "exclusiveMinimum": st.booleans() | st.integers(0, 2),
                "$schema": st.just("http://json-schema.org/draft-07/schema#"),
            },
        )
    )
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(parameter=SCHEMAS, returned=SCHEMAS)
def test_whatever_a_schema_is_it_can_be_shown_typed_drawn_from_and_exported(parameter: Json, returned: Json) -> None:
    text = json.dumps({"tools": [{"name": "f", "inputSchema": {"type": "object", "properties": {"p": parameter}}}]})
    (spec,) = read_functions(text).functions.values()
    whole = FunctionSpec(name=spec.name, parameters=spec.parameters, returns=modern(returned))
    assert "f(" in functions_text({whole.name: whole})
    assert "def f(" in environment_stub([whole], exact=True)
    values_of(modern(parameter)).validate()
    for export in (openai_tool, anthropic_tool, gemini_tool):
        try:
            export(whole)
        except (Unrepresentable, LooseSchema):
            continue
