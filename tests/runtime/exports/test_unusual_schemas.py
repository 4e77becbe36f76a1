"""Schemas from elsewhere: recursive ones, odd roots, broken ones, and addresses that nobody fetches."""

from __future__ import annotations

import copy
from typing import Any, cast

import pytest
from google.genai import types as gemini_types
from openai.lib._pydantic import _ensure_strict_json_schema

from nucleate.exports.schemas import DEFINE, Unrepresentable, anthropic_tool, gemini_tool, openai_tool, restored
from nucleate.exports.schemas.schema_values import mapping
from nucleate_sandbox import FunctionSpec, JsonObject

TREE: JsonObject = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/Node"}, "depth": {"type": "integer", "default": 3}},
    "required": ["root"],
    "additionalProperties": False,
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "value": {"$ref": "#/$defs/Value"},
                "left": {"$ref": "#/$defs/Node", "description": "The smaller one"},
                "more": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["value", "more"],
            "additionalProperties": False,
        },
        "Value": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    },
}


def spec(parameters: JsonObject, doc: str = "Do it.") -> FunctionSpec:
    return FunctionSpec(name="act", doc=doc, parameters=parameters)


def test_a_recursive_type_keeps_its_name_in_the_strict_schema() -> None:
    schema = mapping(mapping(openai_tool(spec(TREE))["function"])["parameters"])
    node = mapping(mapping(mapping(schema["$defs"])["Node"])["properties"])
    assert mapping(schema["properties"])["root"] == {"$ref": "#/$defs/Node"}
    assert node["left"] == {
        "anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}],
        "description": "The smaller one. null: leave it out.",
    }
    own = cast("dict[str, Any]", copy.deepcopy(schema))
    assert _ensure_strict_json_schema(own, path=(), root=cast("dict[str, Any]", copy.deepcopy(schema))) == schema


def test_nulls_deep_in_a_recursive_value_are_taken_out() -> None:
    leaf: JsonObject = {"value": "b", "left": None, "more": []}
    written: JsonObject = {"root": {"value": 1, "left": leaf, "more": [leaf]}, "depth": None}
    bare: JsonObject = {"value": "b", "more": []}
    assert restored(written, TREE) == {"root": {"value": 1, "left": bare, "more": [bare]}}


def test_a_recursive_type_reaches_gemini_as_a_json_schema() -> None:
    declaration = gemini_tool(spec(TREE))
    read = gemini_types.FunctionDeclaration.model_validate(declaration)
    assert (read.parameters, read.parameters_json_schema) == (None, TREE)
    assert "the type 'Node' holds itself" in DEFINE["gemini"](spec(TREE), "act").loose


def test_what_ends_is_written_out_for_gemini() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"key": {"$ref": "#/$defs/Key", "description": "Which one"}},
        "required": ["key"],
        "$defs": {"Key": {"type": ["string", "null"]}},
    }
    assert mapping(gemini_tool(spec(schema))["parameters"])["properties"] == {
        "key": {"type": "STRING", "nullable": True, "description": "Which one"}
    }


def test_alternatives_at_the_root_become_one_object_that_allows_them_all() -> None:
    one: JsonObject = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    two: JsonObject = {
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["id", "name"],
    }
    assert anthropic_tool(spec({"anyOf": [one, two]}))["input_schema"] == {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["id"],
    }
    assert mapping(anthropic_tool(spec({"allOf": [one, two]}))["input_schema"])["required"] == ["id", "name"]


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"type": "array"}, "its parameters are of type 'array'"),
        ({"type": "objekt"}, "its parameters are no JSON schema"),
        ({"properties": {"a": {"$ref": "#/$defs/Gone"}}}, "'#/$defs/Gone' refers to nothing"),
        ({"properties": {"a": {"$ref": "https://schemas.test/a.json"}}}, "refers to nothing in the schema's own $defs"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, "refers to itself"),
    ],
)
@pytest.mark.parametrize("provider", sorted(DEFINE))
def test_a_schema_that_says_nothing_is_refused_with_the_reason(
    provider: str, parameters: JsonObject, says: str
) -> None:
    with pytest.raises(Unrepresentable) as refused:
        DEFINE[provider](spec(parameters), "act")
    assert says in str(refused.value)


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
def test_a_parameter_that_the_provider_cannot_name_is_refused(provider: str) -> None:
    with pytest.raises(Unrepresentable, match="the parameter 'straße'"):
        DEFINE[provider](spec({"properties": {"straße": {"type": "string"}}}), "act")


def test_descriptions_are_the_first_paragraph_in_one_line_cut_at_a_word() -> None:
    doc = "Return the cheapest\n    offer.\n\nDetails nobody pays for."
    assert anthropic_tool(spec({}, doc))["description"] == "Return the cheapest offer."
    long = anthropic_tool(spec({}, "word " * 100))["description"]
    assert isinstance(long, str)
    assert (len(long) <= 300, long.endswith("word…")) == (True, True)
    assert "description" not in anthropic_tool(spec({}, ""))


def test_too_many_values_for_strict_mode_leave_the_tool_as_it_is() -> None:
    many: JsonObject = {"type": "string", "enum": [f"v{number}" for number in range(1001)]}
    definition = DEFINE["openai"](spec({"properties": {"key": many}, "required": ["key"]}), "act")
    assert definition.loose == "it has 1001 listed values, which is more than strict mode takes"


def test_limits_that_strict_mode_does_not_know_are_said_in_words() -> None:
    text: JsonObject = {"type": "string", "minLength": 2, "pattern": "^(?!x)", "format": "date", "default": "ab"}
    tool = openai_tool(spec({"properties": {"key": text}, "required": ["key"], "additionalProperties": False}))
    assert mapping(mapping(mapping(tool["function"])["parameters"])["properties"])["key"] == {
        "type": "string",
        "format": "date",
        "description": 'at least 2 characters. matches ^(?!x). default "ab".',
    }
