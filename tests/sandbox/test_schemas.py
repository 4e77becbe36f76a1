"""Strangers' schemas: of any draft, a little wrong, or made to keep the host busy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nucleate_sandbox import FunctionSpec, Json, JsonObject
from nucleate_sandbox.arguments import Judged, judged
from nucleate_sandbox.schemas import check, modern

PAIR: JsonObject = {"type": "array", "items": [{"type": "number"}, {"type": "string"}], "additionalItems": False}
LONG = "a" * 100_000
HALVES: JsonObject = {"anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/node"}]}
NODE: JsonObject = {"type": "object", "properties": {"x": HALVES, "y": {"type": "integer"}}}


def found(schema: JsonObject, value: Json) -> tuple[list[str], tuple[str, ...]]:
    """Return the messages of a check, and what it could not check."""
    checked = check(schema, value)
    return [error.message for error in checked.errors], checked.unchecked


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (True, {}),
        (False, {"not": {}}),
        (["no", "schema"], {}),
        (PAIR, {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": False}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (
            {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
        ),
        ({"required": ["id", "id"]}, {"required": ["id"]}),
        ({"properties": {"a": {"required": True, "type": "String"}}}, {"properties": {"a": {"type": "string"}}}),
        ({"type": "file", "enum": [], "minLength": -1, "maxLength": 3.0, "title": 5}, {"maxLength": 3}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": True}, {"items": True}),
        (
            {"properties": {"p": {"items": [{"type": "null"}]}, "q": {"$ref": "#/properties/p/items/0"}}},
            {"properties": {"p": {"prefixItems": [{"type": "null"}]}, "q": {"$ref": "#/properties/p/prefixItems/0"}}},
        ),
        (
            {"$defs": {"f": {"$recursiveAnchor": True, "items": {"$recursiveRef": "#"}}}},
            {"$defs": {"f": {"items": {"$ref": "#/$defs/f"}}}},
        ),
        ({"default": {"items": []}, "x-own": {"required": 1}}, {"default": {"items": []}, "x-own": {"required": 1}}),
    ],
)
def test_a_schema_of_another_draft_or_with_a_fault_is_one_of_the_newest(old: Json, new: JsonObject) -> None:
    assert modern(old) == new


WORDS = st.sampled_from(
    [*sorted(Draft202012Validator.VALIDATORS), "$schema", "id", "$id", "items", "dependencies", "$anchor"]
)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats(-1, 2)
    | st.sampled_from(["string", "Object", "#", "^a", "^(("]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(schema=ANYTHING, value=ANYTHING)
def test_whatever_the_schema_is_it_becomes_a_valid_one_and_a_check_raises_nothing(schema: Json, value: Json) -> None:
    told = modern(schema)
    assert [error.message for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(told)] == []
    assert modern(told) == told
    check(told, value)


@pytest.mark.parametrize(
    ("schema", "value", "messages"),
    [
        (PAIR, [1, 2], ["2 is not of type 'string'"]),
        (PAIR, [1, "b"], []),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], ["[{'a': 1}, {'a': 1.0}] has non-unique elements"]),
        ({"uniqueItems": True}, [1, True, "1"], []),
        ({"multipleOf": 0.1}, 0.3, []),
        ({"multipleOf": 0.01}, 10**400, []),
        ({"multipleOf": 7}, 8, ["8 is not a multiple of 7"]),
        ({"pattern": r"^[\p{L}-]+$"}, "é-a", []),
        ({"pattern": r"^\d{2}\/[^]$"}, "12/x", []),
        ({"pattern": "^a$"}, "a\n", ["'a\\n' does not match '^a$'"]),
        ({"pattern": r"^(?!.*\.\.)[\w.]+$"}, "a..b", ["'a..b' does not match '^(?!.*\\\\.\\\\.)[\\\\w.]+$'"]),
        (
            {"patternProperties": {"^x-": {"type": "null"}}, "additionalProperties": False},
            {"x-a": None, "y": 1},
            ["Additional properties are not allowed ('y' was unexpected)"],
        ),
        (
            {"allOf": [{"properties": {"a": {}}}], "patternProperties": {"^b": {}}, "unevaluatedProperties": False},
            {"a": 1, "b": 1, "c": 1},
            ["Unevaluated properties are not allowed ('c' was unexpected)"],
        ),
        (
            {"prefixItems": [{}], "unevaluatedItems": False},
            [1, 2],
            ["Unevaluated items are not allowed (item number 2 was unexpected)"],
        ),
        ({"$ref": "#"}, {"a": 1}, []),
    ],
)
def test_a_keyword_means_what_the_draft_says(schema: JsonObject, value: Json, messages: list[str]) -> None:
    assert found(schema, value) == (messages, ())


@pytest.mark.parametrize(
    ("schema", "value", "unchecked"),
    [
        ({"pattern": r"^(?!x)(a+)+$"}, "a" * 40 + "b", "pattern '^(?!x)(a+)+$': it took more than 100 ms"),
        ({"pattern": "(("}, "a", "pattern '((': no engine reads it: missing ), unterminated subpattern at position 1"),
        ({"$ref": "#/$defs/nowhere"}, 1, "$ref: PointerToNowhere: '/$defs/nowhere' does not exist within {'$ref': '#/$defs/nowhere'} leads nowhere"),
        ({"$ref": "https://schemas.invalid/x.json"}, 1, "$ref: Unresolvable: https://schemas.invalid/x.json leads nowhere"),
        ({"items": {"type": "integer"}}, [1] * 200_000, "the rest: checking it all would take too long"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_within_the_budget_is_said(schema: JsonObject, value: Json, unchecked: str) -> None:
    assert found(schema, value) == ([], (unchecked,))


def test_an_expression_that_backtracks_is_matched_in_proportion_to_the_text() -> None:
    messages, unchecked = found({"pattern": "^([a-zA-Z0-9]+)*@x$"}, LONG)
    assert (len(messages), unchecked) == (1, ())


def test_branches_that_lead_to_one_place_are_taken_once() -> None:
    value: Json = {"y": "no integer"}
    for _ in range(15):
        value = {"x": value}
    messages, unchecked = found({**NODE, "$defs": {"node": NODE}}, value)
    assert (len(messages), unchecked) == (1, ())


def test_a_value_as_deep_as_json_may_be_is_checked_along_a_schema_that_holds_itself() -> None:
    value: Json = 1
    for _ in range(60):
        value = {"x": value}
    assert found({"properties": {"x": {"anyOf": [{"$ref": "#"}]}}, "additionalProperties": False}, value) == ([], ())


def test_only_what_no_expression_allows_is_no_argument() -> None:
    parameters: JsonObject = {"properties": {"q": {}}, "patternProperties": {"^x": {"type": "integer"}}}
    spec = FunctionSpec(name="desk.ask", parameters=parameters)
    assert judged(spec, {"x1": 1, "y": 2}) == Judged(problems=("'y' is not an argument; it takes 'q'",))
