"""Traces as OTLP JSON: tool spans become steps in the order in which they began, agents tasks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import BadLine
from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import read, tasks
from tests.text_memory.runs import failed, ok


def value(item: Any) -> dict[str, Any]:
    if isinstance(item, bool):
        return {"boolValue": item}
    if isinstance(item, int):
        return {"intValue": str(item)}
    if isinstance(item, list):
        return {"arrayValue": {"values": [value(part) for part in item]}}
    return {"stringValue": item}


def span(id_: str, name: str, start: int, *, parent: str = "", trace: str = "t1", error: str = "", **more: Any) -> Any:
    attributes = [{"key": key.replace("__", "."), "value": value(item)} for key, item in more.items()]
    status = {"code": 2, "message": error} if error else {}
    ids = {"traceId": trace, "spanId": id_, "parentSpanId": parent}
    return {**ids, "name": name, "startTimeUnixNano": str(start), "attributes": attributes, "status": status}


def tool(id_: str, name: str, start: int, arguments: Any, result: Any = None, **more: Any) -> Any:
    told: dict[str, Any] = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": name}
    told["gen_ai__tool__call__arguments"] = json.dumps(arguments)
    if result is not None:
        told["gen_ai__tool__call__result"] = result
    return span(id_, f"execute_tool {name}", start, **told, **more)


def export(*spans: Any) -> dict[str, Any]:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "desk"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


ASKED = json.dumps(
    [
        {"role": "system", "parts": [{"type": "text", "content": "Be kind."}]},
        {"role": "user", "parts": [{"type": "text", "content": "Where is W1?"}]},
    ]
)
AGENT = span("a", "invoke_agent desk", 1, gen_ai__operation__name="invoke_agent", gen_ai__conversation__id="c7")


def test_a_trace_that_is_spread_over_exports_becomes_one_task() -> None:
    chat = span("b", "chat m", 2, parent="a", gen_ai__operation__name="chat", gen_ai__input__messages=ASKED)
    late = tool("d", "refund", 9, {"id": "W1"}, parent="c", error="closed", error__type="desk.Closed")
    early = tool("c", "get-order", 5, {"id": "W1"}, '{"status": "sent"}', parent="b")
    (task,) = tasks(export(late), export(early, chat), export(AGENT))
    assert (task.task_id, task.query, task.environment) == ("trace:t1:a", "Where is W1?", "desk")
    assert task.steps == (
        ok("desk.get_order", {"status": "sent"}, id="W1"),
        failed("desk.refund", "closed", kind="Closed", id="W1"),
    )
    assert task.meta == {"format": "otlp", "span": "invoke_agent desk", "gen_ai.conversation.id": "c7"}


def test_without_content_the_calls_stand_for_the_query() -> None:
    (task,) = tasks(
        json.dumps(export(span("r", "POST /ask", 1), tool("c", "look", 2, {"id": 7}, parent="r")), indent=2)
    )
    assert task.query == 'POST /ask: desk.look({"id":7})'
    assert task.steps == (ok("desk.look", id=7),)


def test_each_agent_is_a_task_and_a_sub_agent_says_whose_it_is() -> None:
    inner = span("i", "invoke_agent sub", 3, parent="a", gen_ai__operation__name="invoke_agent")
    other = span("o", "invoke_agent other", 4, gen_ai__operation__name="invoke_agent")
    found = tasks(export(AGENT, inner, other, tool("c", "x", 5, {}, parent="i"), tool("e", "y", 6, {}, parent="o")))
    assert [(task.task_id, task.steps[0].function) for task in found] == [
        ("trace:t1:i", "desk.x"),
        ("trace:t1:o", "desk.y"),
    ]
    assert [task.meta.get("parent") for task in found] == ["a", None]


def test_spans_of_openinference_are_understood() -> None:
    attributes: dict[str, Any] = {"openinference__span__kind": "TOOL", "tool__name": "look"}
    (task,) = tasks(export(span("c", "look", 2, **attributes, input__value='{"id": 7}', output__value="found")))
    assert task.steps == (ok("desk.look", "found", id=7),)


def test_an_export_that_cannot_be_read_is_reported() -> None:
    found = read(export(AGENT), {"resourceSpans": [7]}, export(tool("c", "x", 5, {}, parent="a")))
    assert [item.message for item in found if isinstance(item, BadLine)] == ["'resourceSpans' is not a list of objects"]
    assert len(found) == 2


def tool_span(name: str, *events: Any, **attributes: Any) -> dict[str, Any]:
    found = span("c", name, 2, **attributes)
    found["events"] = [
        {"name": event, "attributes": [{"key": key, "value": value(item)} for key, item in told.items()]}
        for event, told in events
    ]
    return dict(found)


EXECUTED = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": "get"}
CONVENTIONS: dict[str, dict[str, Any]] = {
    "adk": tool_span(
        "execute_tool get",
        **EXECUTED,
        gcp__vertex__agent__tool_call_args='{"id": 7}',
        gcp__vertex__agent__tool_response='{"state": "late"}',
    ),
    "strands": tool_span(
        "execute_tool get",
        ("gen_ai.tool.message", {"role": "tool", "content": '{"id": 7}', "id": "t1"}),
        ("gen_ai.choice", {"message": '[{"text": "{\\"state\\": \\"late\\"}"}]', "id": "t1"}),
        **EXECUTED,
        tool__status="success",
    ),
    "vercel": tool_span(
        "ai.toolCall",
        operation__name="ai.toolCall support",
        ai__toolCall__name="get",
        ai__toolCall__args='{"id": 7}',
        ai__toolCall__result='{"state": "late"}',
    ),
    "langsmith": tool_span(
        "get",
        langsmith__span__kind="tool",
        gen_ai__prompt='{"input": {"id": 7}}',
        gen_ai__completion='{"output": {"state": "late"}}',
    ),
    "mlflow": tool_span(
        "get", mlflow__spanType="TOOL", mlflow__spanInputs='{"id": 7}', mlflow__spanOutputs='{"state": "late"}'
    ),
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_tools_arguments_and_answer_are_found_where_each_convention_puts_them(name: str) -> None:
    (task,) = tasks(export(CONVENTIONS[name]))
    assert task.steps == (ok("desk.get", {"state": "late"}, id=7),)


def test_an_error_is_known_by_its_type_or_by_the_status_of_the_tool() -> None:
    blocks = '[{"text": "closed"}]'
    told = ("gen_ai.choice", {"message": blocks}), ("gen_ai.tool.message", {"content": "{}"})
    (first,) = tasks(export(tool_span("execute_tool get", *told, **EXECUTED, tool__status="error")))
    (second,) = tasks(export(tool("c", "get", 2, {}, "closed", error__type="Closed")))
    assert first.steps == (failed("desk.get", "closed"),)
    assert second.steps == (failed("desk.get", "closed", kind="Closed"),)


def test_spans_without_content_make_no_step_and_are_counted() -> None:
    kept = SharedReading()
    bare = {"gcp__vertex__agent__tool_call_args": "{}", "gcp__vertex__agent__tool_response": "{}"}
    merged = span("m", "execute_tool (merged)", 3, **EXECUTED)
    assert tasks(export(AGENT, span("c", "execute_tool get", 2, parent="a", **EXECUTED), merged), kept=kept) == []
    assert tasks(export(span("c", "execute_tool get", 2, **EXECUTED, **bare)), kept=kept) == []
    assert kept.left_out == {"spans without content": 2}


ASKS: dict[str, Any] = {
    "strands": tool_span(
        "invoke_agent desk", ("gen_ai.user.message", {"content": '[{"text": "Where is W1?"}]'}), gen_ai__operation__name="invoke_agent"
    ),
    "vercel": tool_span("ai.generateText", operation__name="ai.generateText", ai__prompt='{"prompt": "Where is W1?"}'),
    "langsmith": tool_span(
        "desk", langsmith__span__kind="chain", gen_ai__prompt='{"messages": [{"role": "user", "content": "Where is W1?"}]}'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKS)
def test_what_the_user_asked_is_found_where_each_convention_puts_it(name: str) -> None:
    (task,) = tasks(export({**ASKS[name], "spanId": "a"}, tool("d", "get", 5, {"id": 1}, "x", parent="a")))
    assert task.query == "Where is W1?"
