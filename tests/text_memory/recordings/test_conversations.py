"""OpenAI-style message lists become trajectories: calls and results paired, errors told apart."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from nucleate_text_memory import BadLine, Trajectory, Utterance, read_trajectories
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
        query="Hello",
        said=(Utterance(text="Cancel #W1", at=0),),
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
    expected = run("t1", ok("shop.b", 2), query="go")
    assert read(user("go"), calls(("c1", "a", "{}"), ("c2", "b", "{}")), answer("c2", "2")) == replace(
        expected, meta={"unanswered": 1}
    )


def test_a_result_that_is_no_json_is_kept_as_text() -> None:
    texts = ["mia_li_3668", "NaN", "", "[1, 2"]
    pairs = [message for text in texts for message in (calls(("c1", "a", "{}")), answer("c1", text))]
    assert read(user("go"), *pairs) == run("t1", *(ok("shop.a", text) for text in texts), query="go")


ARGUMENTS: list[tuple[Any, dict[str, Any]]] = [
    ("{oops", {"input": "{oops"}),
    ('{"id": "O-1", "amount": ', {"input": '{"id": "O-1", "amount": '}),
    ("[1]", {"input": "[1]"}),
    (None, {}),
    ("", {}),
    ("null", {}),
    ({"id": 1}, {"id": 1}),
    (json.dumps(json.dumps({"id": 1})), {"id": 1}),
]


@pytest.mark.parametrize(("written", "read_as"), ARGUMENTS)
def test_arguments_are_read_as_they_were_meant_and_kept_where_they_are_none(written: Any, read_as: Any) -> None:
    item = read(user("go"), calls(("c1", "a-b", written)), answer("c1", "x"))
    assert item == run("t1", ok("shop.a_b", "x", **read_as), query="go")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (answer("c9", "x"), "no open tool call has the id 'c9'"),
        ({"role": "user", "content": 5}, "messages.0: content is a int, neither a text nor parts"),
        ({"content": "x"}, "messages.0: a message has no known role: 'None'"),
        ("hello", "messages.0: a message is an object, not str"),
        (calls(("c1", "", "{}")), "messages.0: a tool call names no function"),
    ],
)
def test_a_message_that_cannot_be_read_costs_itself_and_is_told(message: Any, reason: str) -> None:
    item = read(message)
    assert isinstance(item, BadLine)
    assert item.message == reason
    whole = read(message, user("go"), calls(("c1", "a", "{}")), answer("c1", "1"))
    assert whole == replace(run("t1", ok("shop.a", 1), query="go"), meta={"unread": [reason]})


def test_an_environment_that_is_no_identifier_names_a_namespace_that_is_one() -> None:
    item = read(user("go"), calls(("c1", "a", "{}")), answer("c1", "1"), environment="tau-airline")
    assert item == run("t1", ok("tau_airline.a", 1), query="go", environment="tau-airline")


OWN = [
    {"exit_code": 1, "stdout": "2 failed", "failed": 2},
    {"output": "x", "exit_code": 0},
    {"metadata": {"exit_code": 3}, "output": "x", "rows": []},
]


@pytest.mark.parametrize("value", OWN)
def test_what_a_function_of_ones_own_returns_is_no_answer_of_a_shell(value: dict[str, Any]) -> None:
    item = read(user("go"), calls(("c1", "run_tests", "{}")), answer("c1", json.dumps(value)))
    assert item == run("t1", ok("shop.run_tests", value), query="go")
