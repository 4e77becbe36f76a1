"""Calls as the providers' clients hand them over, answered in the form that the providers take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message, MessageParam
from google.genai import types as gemini_types
from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageParam
from openai.types.responses import ResponseFunctionToolCall, ResponseInputItemParam
from pydantic import TypeAdapter

from nucleate import InputInvalid
from nucleate.exports.calling import CallAnswer, call
from nucleate.exports.offering import offered
from nucleate.exports.provider_tools import ProviderTools
from nucleate.tools import CallableTool
from nucleate_sandbox import JsonObject, Limit, MontySandbox, Outcome
from tests.runtime.exports.sample_tools import GREETING, broken, tools, version


def given(sandbox: MontySandbox, provider: str) -> ProviderTools:
    found = offered(tools(sandbox), provider)
    assert isinstance(found, ProviderTools)
    return found


def test_openai_chat_calls_are_answered_one_message_each(monty_sandbox: MontySandbox) -> None:
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "greeting", "arguments": '{"name": null}'}},
        {"id": "c2", "type": "function", "function": {"name": "cheap_offers", "arguments": '{"category": "moon"}'}},
    ]
    message = ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": calls})
    answers = given(monty_sandbox, "openai").answer(message.tool_calls)
    assert answers == [
        {"role": "tool", "tool_call_id": "c1", "content": "Good day, everybody"},
        {
            "role": "tool",
            "tool_call_id": "c2",
            "content": "LookupError: no category 'moon'; there are lamps and chairs",
        },
    ]
    adapter = TypeAdapter[Any](ChatCompletionMessageParam)
    assert [adapter.validate_python(answer) for answer in answers] == answers
    assert given(monty_sandbox, "openai").answer(calls) == answers


def test_a_null_in_a_strict_call_is_the_tools_own_default(monty_sandbox: MontySandbox) -> None:
    arguments = json.dumps({"category": "lamps", "limit": None, "order": None})
    made: JsonObject = {"id": "c", "function": {"name": "cheap_offers", "arguments": arguments}}
    (answer,) = given(monty_sandbox, "openai").answer([made])
    assert json.loads(str(answer["content"])) == [
        {"sku": "lamps-0", "order": "price"},
        {"sku": "lamps-1", "order": "price"},
    ]


def test_openai_responses_calls_are_picked_from_the_output(monty_sandbox: MontySandbox) -> None:
    call = ResponseFunctionToolCall(type="function_call", call_id="r1", name="greeting", arguments='{"name": "Ada"}')
    found = given(monty_sandbox, "openai_responses")
    answers = found.answer([{"type": "reasoning", "id": "x", "summary": []}, call])
    assert answers == [{"type": "function_call_output", "call_id": "r1", "output": "Good day, Ada"}]
    assert TypeAdapter[Any](ResponseInputItemParam).validate_python(answers[0])
    assert found[0]["name"] == "cheap_offers"


def test_anthropics_parallel_calls_are_answered_in_one_message(monty_sandbox: MontySandbox) -> None:
    content = [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t1", "name": "greeting", "input": {}},
        {"type": "tool_use", "id": "t2", "name": "cheap_offers", "input": {"categry": "lamps"}},
    ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = Message.model_validate(
        {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content, "usage": usage}
        | {"stop_reason": "tool_use", "stop_sequence": None}
    )
    (answer,) = given(monty_sandbox, "anthropic").answer(message.content)
    wrong = (
        "InvalidArguments: 'categry' is not an argument; did you mean 'category'?; 'category' is missing. Call it as "
        "def cheap_offers(category: str, *, limit: int=2, order: Literal['price', 'name']='price') -> list"
    )
    results: list[JsonObject] = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "Good day, everybody", "is_error": False},
        {"type": "tool_result", "tool_use_id": "t2", "content": wrong, "is_error": True},
    ]
    assert answer == {"role": "user", "content": results}
    assert TypeAdapter[Any](MessageParam).validate_python(answer)


def test_geminis_calls_are_answered_as_parts(monty_sandbox: MontySandbox) -> None:
    calls = [
        gemini_types.FunctionCall(name="greeting", args={"name": "Ada"}, id="g1"),
        gemini_types.FunctionCall(name="nobody", args={}),
    ]
    (answer,) = given(monty_sandbox, "gemini").answer(calls)
    read = gemini_types.Content.model_validate(answer)
    responses = [part.function_response for part in read.parts or []]
    assert [(item.name, item.id, item.response) for item in responses if item is not None] == [
        ("greeting", "g1", {"output": "Good day, Ada"}),
        (
            "nobody",
            None,
            {"error": "UnknownTool: there is no tool 'nobody'; there are cheap_offers, greeting"},
        ),
    ]
    parts = [gemini_types.Part(function_call=calls[0]), gemini_types.Part(text="and a word")]
    assert len(given(monty_sandbox, "gemini").answer(parts)) == 1


@pytest.mark.parametrize("arguments", ["{not json", "[1]", "7"])
def test_arguments_that_are_no_object_are_told_so(monty_sandbox: MontySandbox, arguments: str) -> None:
    made: JsonObject = {"id": "c", "function": {"name": "greeting", "arguments": arguments}}
    (answer,) = given(monty_sandbox, "openai").answer([made])
    assert "write one object. Call it as def greeting(name: str | None=None) -> str" in str(answer["content"])


def test_a_tool_that_was_stopped_says_at_which_limit() -> None:
    stopped = CallableTool(version("greeting", GREETING), lambda _version, _arguments: Outcome(limit=Limit.WALL))
    assert call(stopped, {}) == CallAnswer(
        error="LimitExceeded: the program hit its limit of wall time; ask it for less"
    )


def test_nothing_called_is_nothing_answered(monty_sandbox: MontySandbox) -> None:
    assert [given(monty_sandbox, name).answer(None) for name in ("openai", "anthropic", "gemini")] == [[], [], []]


@pytest.mark.parametrize("form", ["openai", "openai_responses", "anthropic", "gemini", "langchain", "smolagents"])
def test_a_broken_tool_is_left_out_with_the_reason_and_the_others_stay(monty_sandbox: MontySandbox, form: str) -> None:
    found = offered(tools(monty_sandbox, broken()), form)
    assert len(found) == 2
    assert list(found.left_out) == ["broken"]
    assert found.left_out["broken"].startswith("its parameters are no JSON schema: $.type: 'objekt'")


def test_the_order_is_that_of_the_names_however_the_tools_come(monty_sandbox: MontySandbox) -> None:
    all_of_them = tools(monty_sandbox)
    there, back = offered(all_of_them, "anthropic"), offered(reversed(all_of_them), "anthropic")
    assert json.dumps(there) == json.dumps(back)
    assert [item["name"] for item in there] == ["cheap_offers", "greeting"]


def test_of_two_tools_with_one_name_the_later_is_left_out(monty_sandbox: MontySandbox) -> None:
    found = offered(tools(monty_sandbox, version("greeting", GREETING)), "openai")
    assert (len(found), found.left_out) == (
        2,
        {"greeting": "two tools are named 'greeting'; ask for one environment's"},
    )


def test_two_hundred_tools_are_all_there_and_unique(monty_sandbox: MontySandbox) -> None:
    many = [version(f"tool_{number}", GREETING.replace("greeting", f"tool_{number}")) for number in range(200)]
    found = offered(tools(monty_sandbox, *many), "openai")
    assert isinstance(found, ProviderTools)
    assert (len(found), len(set(found.names)), found.left_out) == (202, 202, {})


def test_an_unknown_format_names_those_that_there_are(monty_sandbox: MontySandbox) -> None:
    with pytest.raises(InputInvalid, match="the format 'yaml' is unknown; there are openai, openai_responses, anth"):
        offered(tools(monty_sandbox), "yaml")
