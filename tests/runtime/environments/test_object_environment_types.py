"""The object adapter and types: schemas, arguments and results keep their meaning."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nucleate.environments import ObjectEnvironment
from nucleate_sandbox import Json, JsonObject
from tests.runtime.environments.object_world import Echo, refusal


@pytest.mark.parametrize(
    ("function", "schema"),
    [
        ("maybe", {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}),
        ("either", {"anyOf": [{"type": "integer"}, {"items": {"type": "string"}, "type": "array"}]}),
        ("choice", {"enum": ["a", "b", 3]}),
        ("colour", {"enum": ["red", "blue"], "title": "Colour", "type": "string", "default": "red"}),
        ("anything", {}),
        ("untyped", {}),
        (
            "point",
            {
                "properties": {"x": {"type": "integer"}, "y": {"default": 0.5, "type": "number"}},
                "required": ["x"],
                "title": "Point",
                "type": "object",
            },
        ),
        (
            "place",
            {
                "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}},
                "required": ["city"],
                "title": "Place",
                "type": "object",
            },
        ),
    ],
)
def test_a_type_hint_keeps_its_meaning_in_the_schema(function: str, schema: JsonObject) -> None:
    spec = ObjectEnvironment("echo", Echo()).functions[f"echo.{function}"]

    assert spec.parameters["properties"]["value"] == schema  # type: ignore[index,call-overload]


def test_a_recursive_type_keeps_its_references_and_the_schema_still_validates() -> None:
    environment = ObjectEnvironment("echo", Echo())
    value: Json = {"name": "root", "children": [{"name": "leaf", "children": []}]}

    jsonschema.validate({"value": value}, environment.functions["echo.tree"].parameters)

    assert environment.call("echo.tree", {"value": value}) == value


def test_a_result_requires_every_field_that_is_always_there() -> None:
    assert ObjectEnvironment("echo", Echo()).functions["echo.point"].returns["required"] == ["x", "y"]


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        ("point", {"value": {"x": 1}}, {"x": 1, "y": 0.5}),
        ("place", {"value": {"city": "Linz"}}, [{"city": "Linz"}]),
        ("colour", {}, "red"),
        ("colour", {"value": "blue"}, "blue"),
        ("label", {"value": {"text": "hi"}}, {"text": "hi"}),
        ("day", {"value": "2026-03-01"}, ["2026-03-01", 2026]),
        ("extra", {"first": 1, "third": 3}, {"first": 1, "second": 2, "others": {"third": 3}}),
        ("untyped", {"value": [1, "a"]}, [1, "a"]),
        ("later", {"value": 1}, 2),
        ("free", {"value": 4}, 4),
        ("of_class", {"value": 4}, "Echo 4"),
        ("number", {"value": 2}, 2.0),
    ],
)
def test_arguments_reach_the_method_in_their_types_and_results_come_back_as_json(
    function: str, arguments: JsonObject, result: Json
) -> None:
    assert ObjectEnvironment("echo", Echo()).call(f"echo.{function}", arguments) == result


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1000, 1000)
    | st.floats(-1e6, 1e6).filter(lambda value: not value.is_integer())
    | st.sampled_from(["a", "b", "red", "blue", "x", "city", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["x", "y", "city", "floor", "text", "name", "children"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    function=st.sampled_from(["number", "whole", "flag", "maybe", "either", "choice", "table", "colour", "tree"]),
    value=JSON_VALUES,
)
def test_a_call_accepts_exactly_what_the_schema_allows(function: str, value: Any) -> None:
    environment = ObjectEnvironment("echo", Echo())
    spec = environment.functions[f"echo.{function}"]
    allowed = jsonschema.Draft202012Validator(spec.parameters).is_valid({"value": value})

    if allowed:
        result = environment.call(spec.name, {"value": value})
        assert jsonschema.Draft202012Validator(spec.returns).is_valid(result)
    else:
        assert refusal(environment, spec.name, {"value": value})[0] == "InvalidArguments"


@given(value=JSON_VALUES)
def test_a_json_value_comes_back_as_it_went_in(value: Any) -> None:
    assert ObjectEnvironment("echo", Echo()).call("echo.anything", {"value": value}) == value
