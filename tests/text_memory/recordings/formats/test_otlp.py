"""Traces as OTLP JSON: tool spans become steps in the order in which they began, agents tasks."""

from __future__ import annotations

import json
from typing import Any

from nucleate_text_memory import BadLine
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
