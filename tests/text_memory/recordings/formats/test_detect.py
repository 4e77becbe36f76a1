"""The format is told by what stands in a file; one that is named goes before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory import FORMATS, BadLine, Utterance, read_trajectories
from nucleate_text_memory.recordings.formats import detect
from nucleate_text_memory.recordings.turns import UserTurn, turn_of
from tests.text_memory.recordings.formats.reading import read, tasks
from tests.text_memory.runs import ok

TOLD: list[tuple[Any, str | None]] = [
    ({"task_id": "t", "query": "q", "steps": []}, "nucleate"),
    ({"task_id": "t", "messages": []}, "openai"),
    ([{"task_id": 1, "traj": []}], "openai"),
    ({"role": "user", "content": "hi"}, "transcript"),
    ({"simulations": [], "info": {}}, "tau2"),
    ({"id": "simple_1", "result": "[f()]"}, "bfcl"),
    ({"type": "summary", "summary": "x", "leafUuid": "u"}, "claude-code"),
    ({"type": "user", "sessionId": "s", "message": {}}, "claude-code"),
    ({"type": "session_meta", "payload": {}, "timestamp": "t"}, "codex"),
    ({"type": "function_call", "call_id": "c"}, "codex"),
    ({"resourceSpans": []}, "otlp"),
    ({"jsonrpc": "2.0", "id": 1, "result": {}}, "mcp"),
    ({"dir": "out", "line": '{"jsonrpc": "2.0", "method": "ping"}'}, "mcp"),
    ({"hello": "world"}, None),
    (7, None),
]


@pytest.mark.parametrize(("value", "expected"), TOLD, ids=[str(number) for number in range(len(TOLD))])
def test_one_line_tells_the_format(value: Any, expected: str | None) -> None:
    assert detect(json.dumps(value)) == expected


def test_lines_that_tell_nothing_may_go_before() -> None:
    lines = ["{broken", {"hello": 1}, {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": "hi"}}]
    assert [item.number for item in read(*lines) if isinstance(item, BadLine)] == [1]


def test_a_format_that_is_not_known_is_an_error_that_names_the_others() -> None:
    with pytest.raises(ValueError, match=f"no format is named 'csv'; one of auto, {', '.join(FORMATS)}"):
        list(read_trajectories(["{}"], format="csv"))


def test_a_format_can_be_forced() -> None:
    (bad,) = read({"role": "user", "content": "hi"}, format="nucleate")
    assert isinstance(bad, BadLine)
    assert bad.message.startswith("task_id: Field required")


def test_a_transcript_in_anthropics_form_is_split_by_turns() -> None:
    def call(id_: str, name: str) -> list[Any]:
        use = {"type": "tool_use", "id": id_, "name": name, "input": {}}
        result = {"type": "tool_result", "tool_use_id": id_, "content": "1"}
        return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]

    lines = [
        {"role": "user", "content": "Count"},
        *call("a", "count"),
        {"role": "user", "content": "Sum"},
        *call("b", "sum"),
    ]
    found = tasks(*lines, environment="shop", name="talk")
    assert [(task.task_id, task.query, task.steps) for task in found] == [
        ("transcript:talk:1", "Count", (ok("shop.count", 1),)),
        ("transcript:talk:2", "Sum", (ok("shop.sum", 1),)),
    ]
    whole = tasks({"task_id": "t", "messages": lines}, environment="shop")
    assert (whole[0].query, whole[0].said) == ("Count", (Utterance(text="Sum", at=1),))
    assert len(whole[0].steps) == 2


TURNS = [
    ("Add a login page", "Done.", UserTurn.NEW),
    ("No, use the other one", "Done.", UserTurn.CORRECTION),
    ("that didn't work", "Done.", UserTurn.CORRECTION),
    ("you forgot the tests", "Done.", UserTurn.CORRECTION),
    ("Nothing is shown in the list of orders, find out why", "Done.", UserTurn.NEW),
    ("yes", "Done.", UserTurn.FOLLOW_UP),
    ("ok go ahead", "Done.", UserTurn.FOLLOW_UP),
    ("also sort the list", "Done.", UserTurn.FOLLOW_UP),
    ("the blue one", "Which one?", UserTurn.FOLLOW_UP),
    ("Goodness knows why the build of main fails", "Done.", UserTurn.NEW),
]


@pytest.mark.parametrize(("text", "before", "expected"), TURNS)
def test_a_turn_goes_on_corrects_or_begins_anew(text: str, before: str, expected: UserTurn) -> None:
    assert turn_of(text, last_reply=before) is expected
