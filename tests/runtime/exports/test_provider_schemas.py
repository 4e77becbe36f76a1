"""Fifty signatures as the providers' own packages see them, and arguments that come back as they were meant."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, cast

import pytest
from anthropic.types import ToolUnionParam
from google.genai import Client
from google.genai import types as gemini_types
from google.genai._transformers import process_schema
from jsonschema import Draft202012Validator
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionToolUnionParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from nucleate.exports.schemas import DEFINE, anthropic_tool, faults, gemini_tool, openai_tool, restored
from nucleate.exports.schemas.schema_values import mapping
from nucleate_sandbox import JsonObject
from tests.runtime.exports.samples import samples
from tests.runtime.exports.signatures import ALL, LOOSE, STRICT, source

NAMES = list(ALL)


def parameters(name: str) -> JsonObject:
    """Return the schema that OpenAI is given."""
    return mapping(mapping(openai_tool(ALL[name])["function"])["parameters"])


def test_there_are_fifty_signatures_or_more() -> None:
    assert len(ALL) >= 50


@pytest.mark.parametrize("name", NAMES)
def test_openai_accepts_the_tool_in_both_of_its_forms(name: str) -> None:
    chat = openai_tool(ALL[name])
    assert TypeAdapter(ChatCompletionToolUnionParam).validate_python(chat, strict=True) == chat
    flat = DEFINE["openai_responses"](ALL[name], name).body
    assert TypeAdapter(FunctionToolParam).validate_python(flat, strict=True) == flat
    Draft202012Validator.check_schema(cast("dict[str, Any]", parameters(name)))


@pytest.mark.parametrize("name", list(STRICT))
def test_a_strict_schema_is_one_that_openais_own_rules_leave_as_it_is(name: str) -> None:
    schema = cast("dict[str, Any]", parameters(name))
    assert mapping(openai_tool(ALL[name])["function"])["strict"] is True
    assert _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=copy.deepcopy(schema)) == schema
    checked = OpenAIJsonSchemaTransformer(copy.deepcopy(schema), strict=None)
    checked.walk()
    assert checked.is_strict_compatible


@pytest.mark.parametrize("name", list(LOOSE))
def test_what_has_no_strict_form_is_given_as_it_is_with_the_reason(name: str) -> None:
    definition = DEFINE["openai"](ALL[name], name)
    function = mapping(definition.body["function"])
    assert (function["strict"], function["parameters"]) == (False, ALL[name].parameters)
    assert LOOSE[name][1] in definition.loose


@pytest.mark.parametrize("name", NAMES)
def test_anthropic_accepts_the_tool_with_every_type_kept(name: str) -> None:
    tool = anthropic_tool(ALL[name])
    assert TypeAdapter(ToolUnionParam).validate_python(tool)
    assert tool["input_schema"] == ALL[name].parameters
    Draft202012Validator.check_schema(cast("dict[str, Any]", tool["input_schema"]))


@pytest.fixture(scope="module")
def gemini() -> Iterator[Client]:
    with Client(api_key="none") as client:
        yield client


@pytest.mark.parametrize("name", NAMES)
def test_gemini_accepts_the_declaration_and_its_client_sends_it(name: str, gemini: Client) -> None:
    declaration = gemini_tool(ALL[name])
    read = gemini_types.FunctionDeclaration.model_validate(declaration)
    assert read.name == name
    if "parameters" in declaration:
        schema = cast("dict[str, Any]", copy.deepcopy(declaration["parameters"]))
        process_schema(schema, gemini._api_client)
        assert schema == declaration["parameters"]


@pytest.mark.parametrize("name", list(STRICT))
def test_what_is_written_under_the_strict_schema_reaches_the_tool(name: str) -> None:
    """A null is the default, unless the parameter itself takes null; everything else arrives as it was written."""
    schema = parameters(name)
    known: dict[str, Any] = {}
    exec(source(name, STRICT[name]), known)
    for sample in samples(schema, schema):
        assert isinstance(sample, dict)
        Draft202012Validator(cast("dict[str, Any]", schema)).validate(sample)
        arguments = restored(sample, ALL[name].parameters)
        assert faults(ALL[name], arguments) == ()
        received = known[name](**arguments)
        given = {key: value for key, value in sample.items() if value is not None}
        assert {key: _bare(received[key]) for key in given} == {key: _bare(value) for key, value in given.items()}


def _bare(value: Any) -> Any:
    """Return a value without the keys that say nothing."""
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if item is not None}
    return [_bare(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_fit_the_tools_own_schema_are_not_changed(name: str) -> None:
    own = ALL[name].parameters
    fitting = [item for item in samples(own, own) if isinstance(item, dict) and not faults(ALL[name], item)]
    assert fitting
    assert [restored(item, own) for item in fitting] == fitting
