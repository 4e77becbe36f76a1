"""MCP traffic: calls paired with results whatever stands around the messages, definitions handed on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import BadLine
from nucleate_text_memory.recordings.formats.reader import SharedReading
from tests.text_memory.recordings.formats.reading import read, tasks
from tests.text_memory.runs import failed, ok


def request(id_: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def reply(id_: int, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, **fields}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


TOOLS: list[Any] = [{"name": "read-file", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]
BEGUN = [
    request(0, "initialize", clientInfo={"name": "c"}),
    reply(0, result={"serverInfo": {"name": "file-system"}}),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request(1, "tools/list"),
    reply(1, result={"tools": TOOLS}),
]
TRAFFIC = [
    *BEGUN,
    request(2, "tools/call", name="read-file", arguments={"path": "a"}),
    request(3, "tools/call", name="read-file", arguments={"path": "b"}),
    reply(3, result=text("Error: no such file", isError=True)),
    reply(2, result=text('{"lines": 3}')),
    request(4, "tools/call", name="stat"),
    reply(4, result={**text("…"), "structuredContent": {"size": 7}}),
    request(5, "tools/call", name="gone"),
    reply(5, error={"code": -32602, "message": "Unknown tool: gone"}),
    request(6, "tools/call", name="read-file", arguments={"path": "never answered"}),
]
WRITTEN = {
    "bare": lambda message: json.dumps(message),
    "in a field": lambda message: json.dumps({"ts": 1, "direction": "in", "message": message}),
    "as text in a field": lambda message: json.dumps({"level": "debug", "msg": json.dumps(message)}),
    "after a prefix": lambda message: f"2026-01-01 12:00:00 --> {json.dumps(message)}",
    "as a batch": lambda message: json.dumps([message]),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_a_connection_becomes_a_task(form: str) -> None:
    told: list[tuple[str, list[Any]]] = []
    lines = [WRITTEN[form](message) for message in TRAFFIC]
    (task,) = tasks(*lines, name="log", tools=lambda scope, tools: told.append((scope, tools)))
    assert (task.task_id, task.environment) == ("mcp:log:1", "file_system")
    assert task.steps == (
        ok("file_system.read_file", {"lines": 3}, path="a"),
        failed("file_system.read_file", "Error: no such file", path="b"),
        ok("file_system.stat", {"size": 7}),
        failed("file_system.gone", "Unknown tool: gone", kind="McpError"),
    )
    assert task.query.startswith('MCP file_system: file_system.read_file({"path":"a"}); ')
    assert told == [("file_system", TOOLS)]


def test_each_connection_of_a_log_is_a_task() -> None:
    call = [request(2, "tools/call", name="stat"), reply(2, result=text("ok"))]
    found = tasks(*BEGUN, *call, *BEGUN, *call, name="log")
    assert [task.task_id for task in found] == ["mcp:log:1", "mcp:log:2"]


def test_lines_that_are_no_traffic_are_counted_and_the_rest_goes_on() -> None:
    kept = SharedReading()
    found = read(
        *BEGUN,
        "starting …",
        request(2, "tools/call", name="x", arguments=[1]),
        request(3, "tools/call", name="x"),
        reply(3, result={}),
        kept=kept,
    )
    bad = [item for item in found if isinstance(item, BadLine)]
    assert [(item.number, item.message) for item in bad] == [
        (7, "the arguments of 'x' are not a JSON object"),
    ]
    assert len(found) == 2
    assert kept.left_out == {"log lines without a message": 1}


def test_both_sides_number_their_own_requests() -> None:
    (task,) = tasks(
        request(1, "tools/call", name="get", arguments={"id": 1}),
        request(1, "roots/list"),
        reply(1, result={"roots": []}),
        reply(1, result=text("late")),
        request(2, "tools/call", name="cancel", arguments={}),
        request(2, "elicitation/create"),
        reply(2, result={"action": "accept"}),
        reply(2, result={**text("closed"), "isError": True}),
        environment="shop",
    )
    assert task.steps == (ok("shop.get", "late", id=1), failed("shop.cancel", "closed"))


def test_a_log_says_who_sent_a_message_and_which_server_is_meant() -> None:
    def logged(sender: str, message: Any) -> str:
        return f"2026-07-01T10:00:00.000Z [my-shop] [info] Message from {sender}: {json.dumps(message)} {{ metadata: undefined }}"

    (task,) = tasks(
        logged("client", request(1, "tools/call", name="查询订单", arguments={"id": 1})),
        logged("server", request(1, "sampling/createMessage")),
        logged("client", reply(1, result={"role": "assistant", "content": {"type": "text", "text": "hm"}})),
        logged("server", reply(1, result=text("late"))),
        logged("client", request(2, "tools/call", name="取消订单")),
        logged("server", reply(2, result=text("ok"))),
        "2026-07-01T10:00:02.000Z [my-shop] [info] Server transport closed { metadata: undefined }",
    )
    first, second = task.steps
    assert (task.environment, first.result, second.result) == ("my_shop", "late", "ok")
    assert first.function != second.function
