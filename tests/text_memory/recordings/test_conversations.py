"""OpenAI-style message lists become trajectories: calls and results paired, errors told apart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import BadLine, Trajectory, read_trajectories
from tests.text_memory.runs import failed, ok, run


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def calls(*named: tuple[str, str, str]) -> dict[str, Any]:
    made = [{"id": id_, "type": "function", "function": {"name": name, "arguments": text}} for id_, name, text in named]
    return {"role": "assistant", "content": None, "tool_calls": made}


def answer(id_: str, text: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": text}


def read(*messages: dict[str, Any], environment: str = "shop", **fields: Any) -> Trajectory | BadLine:
    line = json.dumps({"task_id": "t1", "messages": messages, **fields})
    (item,) = read_trajectories([line], environment=environment)
    return item


def test_a_conversation_becomes_a_trajectory() -> None:
    item = read(
        {"role": "system", "content": "You are a clerk."},
        user("Hello"),
        {"role": "assistant", "content": "Yes?"},
        user([{"type": "text", "text": "Cancel #W1"}, {"type": "image_url", "image_url": {"url": "x"}}]),
        calls(("c1", "find", '{"id": "#W1"}')),
        answer("c1", '{"status": "pending"}'),
        calls(("c2", "cancel", '{"id": "#W1"}')),
        answer("c2", "Error: not today"),
        calls(("c3", "note", "")),
        answer("c3", "noted"),
        reward=0.0,
    )
    assert item == Trajectory(
        task_id="t1",
        query="Hello\nCancel #W1\n",
        environment="shop",
        steps=(
            ok("shop.find", {"status": "pending"}, id="#W1"),
            failed("shop.cancel", "Error: not today", id="#W1"),
            ok("shop.note", "noted"),
        ),
        success=False,
        reward=0.0,
    )


def test_results_are_paired_in_order_where_ids_repeat() -> None:
    item = read(
        user("go"),
        calls(("c1", "a", "{}"), ("c2", "b", "{}")),
        answer("c2", "2"),
        answer("c1", "1"),
        calls(("c1", "a", "{}"), ("c1", "a", "{}")),
        answer("c1", "3"),
        answer("c1", "4"),
    )
    assert item == run("t1", ok("shop.a", 1), ok("shop.b", 2), ok("shop.a", 3), ok("shop.a", 4), query="go")


def test_a_call_that_was_never_answered_is_no_step() -> None:
    assert read(user("go"), calls(("c1", "a", "{}"), ("c2", "b", "{}")), answer("c2", "2")) == run(
        "t1", ok("shop.b", 2), query="go"
    )


def test_a_result_that_is_no_json_is_kept_as_text() -> None:
    texts = ["mia_li_3668", "NaN", "", "[1, 2"]
    pairs = [message for text in texts for message in (calls(("c1", "a", "{}")), answer("c1", text))]
    assert read(user("go"), *pairs) == run("t1", *(ok("shop.a", text) for text in texts), query="go")


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ([answer("c9", "x")], "messages.0: no open tool call has the id 'c9'"),
        ([calls(("c1", "a", "{oops")), answer("c1", "x")], "the arguments of 'a' are not a JSON object"),
        ([calls(("c1", "a", "[1]")), answer("c1", "x")], "the arguments of 'a' are not a JSON object"),
        ([calls(("c1", "a-b", "{}")), answer("c1", "x")], "function 'a-b' is not `name` or `namespace.name`"),
        ([{"role": "user", "content": 5}], "messages.0.content.str: Input should be a valid string"),
        ([{"content": "x"}], "messages.0.role: Field required"),
    ],
)
def test_a_malformed_conversation_is_reported_whole(messages: list[dict[str, Any]], message: str) -> None:
    item = read(*messages)
    assert isinstance(item, BadLine)
    assert item.message.startswith(message)


def test_an_environment_that_is_no_identifier_cannot_be_a_namespace() -> None:
    item = read(user("go"), calls(("c1", "a", "{}")), answer("c1", "1"), environment="tau-airline")
    assert isinstance(item, BadLine)
    assert item.message == "function 'a' needs a namespace, and environment 'tau-airline' is not an identifier"
