"""One conversation as each large provider's own API writes it: the same calls, the same answers, the same errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import Utterance
from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.runs import failed, ok

ASKED, LATER = "Where is O-1?", "Then cancel it"
GIVEN, STATE, REFUSED = {"id": "O-1"}, {"state": "late"}, "Error: too late"


def made(name: str, given: Any = None) -> dict[str, Any]:
    return {"name": name, "arguments": json.dumps(GIVEN if given is None else given)}


CHAT = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": made("get")}]},
    {"role": "tool", "tool_call_id": "c1", "content": json.dumps(STATE)},
    {"role": "user", "content": [{"type": "text", "text": LATER}]},
    {"role": "assistant", "tool_calls": [{"id": "c2", "type": "function", "function": made("cancel")}]},
    {"role": "tool", "tool_call_id": "c2", "content": REFUSED},
    {"role": "assistant", "content": "It is too late."},
]
OLD = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": None, "function_call": made("get")},
    {"role": "function", "name": "get", "content": json.dumps(STATE)},
    {"role": "user", "content": LATER},
    {"role": "assistant", "content": None, "function_call": made("cancel")},
    {"role": "function", "name": "cancel", "content": REFUSED},
]
ANTHROPIC = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "get", "input": GIVEN}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": json.dumps(STATE)}]}]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "It is late."}]},
    {"role": "user", "content": LATER},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t2", "name": "cancel", "input": GIVEN}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "is_error": True, "content": REFUSED}]},
]  # fmt: skip
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": ASKED}]},
    {"type": "reasoning", "summary": []},
    {"type": "function_call", "call_id": "c1", **made("get")},
    {"type": "function_call_output", "call_id": "c1", "output": json.dumps(STATE)},
    {"type": "message", "role": "user", "content": LATER},
    {"type": "function_call", "call_id": "c2", **made("cancel")},
    {"type": "function_call_output", "call_id": "c2", "output": REFUSED},
]
GEMINI = [
    {"role": "user", "parts": [{"text": ASKED}]},
    {"role": "model", "parts": [{"text": "…", "thought": True}, {"functionCall": {"name": "get", "args": GIVEN}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "get", "response": {"result": STATE}}}]},
    {"role": "user", "parts": [{"text": LATER}]},
    {"role": "model", "parts": [{"functionCall": {"name": "cancel", "args": GIVEN}}]},
    {"role": "function", "parts": [{"functionResponse": {"name": "cancel", "response": {"error": REFUSED}}}]},
]
CONVERSE = [
    {"role": "user", "content": [{"text": ASKED}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "b1", "name": "get", "input": GIVEN}}]},
    {
        "role": "user",
        "content": [{"toolResult": {"toolUseId": "b1", "content": [{"json": STATE}], "status": "success"}}],
    },
    {"role": "user", "content": [{"text": LATER}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "b2", "name": "cancel", "input": GIVEN}}]},
    {
        "role": "user",
        "content": [{"toolResult": {"toolUseId": "b2", "content": [{"text": REFUSED}], "status": "error"}}],
    },
]
MISTRAL = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "D681PevKs", "function": {"name": "get", "arguments": GIVEN}}]},
    {"role": "tool", "tool_call_id": "D681PevKs", "name": "get", "content": json.dumps(STATE)},
    {"role": "user", "content": LATER},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "E681PevKs", "function": {"name": "cancel", "arguments": GIVEN}}]},
    {"role": "tool", "tool_call_id": "E681PevKs", "name": "cancel", "content": REFUSED},
]  # fmt: skip
COHERE = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "tool_plan": "I look.", "tool_calls": [{"id": "g1", "type": "function", "function": made("get")}]},
    {"role": "tool", "tool_call_id": "g1", "content": [{"type": "document", "document": {"data": json.dumps(STATE)}}]},
    {"role": "user", "content": LATER},
    {"role": "assistant", "tool_calls": [{"id": "g2", "type": "function", "function": made("cancel")}]},
    {"role": "tool", "tool_call_id": "g2", "content": [{"type": "text", "text": REFUSED}]},
]  # fmt: skip
OLLAMA = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "get", "arguments": GIVEN}}]},
    {"role": "tool", "tool_name": "get", "content": json.dumps(STATE)},
    {"role": "user", "content": LATER},
    {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "cancel", "arguments": GIVEN}}]},
    {"role": "tool", "tool_name": "cancel", "content": REFUSED},
]
LANGCHAIN = [
    {"type": "human", "data": {"content": ASKED}},
    {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "get", "args": GIVEN, "id": "l1", "type": "tool_call"}]}},
    {"type": "tool", "data": {"content": json.dumps(STATE), "tool_call_id": "l1", "status": "success"}},
    {"type": "human", "data": {"content": LATER}},
    {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "cancel", "args": GIVEN, "id": "l2", "type": "tool_call"}]}},
    {"type": "tool", "data": {"content": REFUSED, "tool_call_id": "l2", "status": "error"}},
]  # fmt: skip
VERCEL = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "v1", "toolName": "get", "input": GIVEN}]},
    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "v1", "toolName": "get", "output": {"type": "json", "value": STATE}}]},
    {"role": "user", "content": LATER},
    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "v2", "toolName": "cancel", "input": GIVEN}]},
    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "v2", "toolName": "cancel", "output": {"type": "error-text", "value": REFUSED}}]},
]  # fmt: skip
SHOWN = [
    {"role": "user", "parts": [{"type": "text", "text": ASKED}]},
    {"role": "assistant", "parts": [{"type": "tool-get", "toolCallId": "v1", "state": "output-available", "input": GIVEN, "output": STATE}]},
    {"role": "user", "parts": [{"type": "text", "text": LATER}]},
    {"role": "assistant", "parts": [{"type": "tool-cancel", "toolCallId": "v2", "state": "output-error", "input": GIVEN, "errorText": REFUSED}]},
]  # fmt: skip
SHAREGPT = [
    {"from": "system", "value": "Be kind."},
    {"from": "human", "value": ASKED},
    {"from": "function_call", "value": json.dumps({"name": "get", "arguments": GIVEN})},
    {"from": "observation", "value": json.dumps(STATE)},
    {"from": "human", "value": LATER},
    {"from": "function_call", "value": json.dumps({"name": "cancel", "arguments": GIVEN})},
    {"from": "observation", "value": REFUSED},
    {"from": "gpt", "value": "It is too late."},
]
LINES: dict[str, dict[str, Any]] = {
    "chat completions": {"messages": CHAT},
    "functions of old": {"messages": OLD},
    "responses": {"input": RESPONSES},
    "anthropic": {"messages": ANTHROPIC},
    "gemini": {"contents": GEMINI},
    "converse": {"messages": CONVERSE},
    "mistral": {"messages": MISTRAL},
    "cohere": {"messages": COHERE},
    "ollama": {"messages": OLLAMA},
    "langchain": {"messages": LANGCHAIN},
    "vercel": {"messages": VERCEL},
    "vercel for screens": {"messages": SHOWN},
    "sharegpt": {"conversations": SHAREGPT},
    "a log of requests": {
        "request": {"model": "m", "messages": CHAT[:-1]},
        "response": {"choices": [{"message": CHAT[-1]}]},
    },
}


@pytest.mark.parametrize("name", LINES)
def test_a_conversation_is_read_alike_whichever_api_wrote_it(name: str) -> None:
    (task,) = tasks({"id": "t1", **LINES[name]}, environment="shop")
    assert (task.task_id, task.query) == ("t1", ASKED)
    assert task.steps == (ok("shop.get", STATE, id="O-1"), failed("shop.cancel", REFUSED, id="O-1"))
    assert task.said == (Utterance(text=LATER, at=1),)
    assert "unread" not in task.meta


def test_coheres_earlier_api_keeps_the_last_turn_beside_the_history() -> None:
    call = {"name": "get", "parameters": GIVEN}
    history = [{"role": "USER", "message": ASKED}, {"role": "CHATBOT", "message": "I look.", "tool_calls": [call]}]
    results = [{"call": call, "outputs": [STATE]}]
    (task,) = tasks({"id": "t1", "message": "", "chat_history": history, "tool_results": results}, environment="shop")
    assert (task.query, task.steps) == (ASKED, (ok("shop.get", [STATE], id="O-1"),))


SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS: dict[str, Any] = {
    "gemini": ({"contents": GEMINI}, [{"functionDeclarations": [{"name": "get", "parameters": SCHEMA}]}]),
    "anthropic": ({"messages": ANTHROPIC}, [{"name": "get", "input_schema": SCHEMA}]),
    "openai": ({"messages": CHAT}, [{"type": "function", "function": {"name": "get", "parameters": SCHEMA}}]),
}


@pytest.mark.parametrize("name", TOOLS)
def test_the_tools_of_a_request_are_told_one_by_one(name: str) -> None:
    line, tools = TOOLS[name]
    told: list[Any] = []
    tasks(
        {"id": "t1", **line, "tools": tools}, environment="shop", tools=lambda scope, found: told.append((scope, found))
    )
    ((scope, (tool,)),) = told
    assert (scope, SCHEMA in (*tool.values(), *tool.get("function", {}).values())) == ("shop", True)


def test_the_tools_of_converse_stand_apart() -> None:
    spec = {"name": "get", "description": "Get.", "inputSchema": {"json": SCHEMA}}
    told: list[Any] = []
    line = {"id": "t1", "messages": CONVERSE, "toolConfig": {"tools": [{"toolSpec": spec}]}}
    tasks(line, environment="shop", tools=lambda scope, found: told.append(found))
    assert told == [[{"name": "get", "description": "Get.", "parameters": SCHEMA}]]


def test_names_that_read_alike_are_kept_apart_over_all_recordings() -> None:
    def call(name: str) -> dict[str, Any]:
        use = {"id": "c", "function": {"name": name, "arguments": "{}"}}
        return {
            "messages": [
                {"role": "assistant", "tool_calls": [use]},
                {"role": "tool", "tool_call_id": "c", "content": "1"},
            ]
        }

    kept = SharedReading()
    names = ["get_order", "get-order", "get_order", "查询订单", "取消订单"]
    functions = [task.steps[0].function for name in names for task in tasks(call(name), environment="shop", kept=kept)]
    assert functions[:3] == ["shop.get_order", "shop.get_order_cbc8b1", "shop.get_order"]
    assert len(set(functions)) == 4
    assert kept.names.apart == {"shop.get_order_cbc8b1": "get-order"}
