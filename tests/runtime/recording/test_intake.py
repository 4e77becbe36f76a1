"""Recordings are taken in: definitions kept, functions inferred where nobody described them, conflicts reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nucleate import Runtime, Settings
from nucleate.database import open_database
from nucleate.environments.scopes import Scopes
from nucleate.recording.inferring import MARK, Inferred
from nucleate.recording.intake import Intake, Origin
from nucleate_sandbox import Effect, FunctionSpec
from nucleate_text_memory import Step, TaskConflict, Trajectory
from tests.runtime.recording.desk import done, failed


@pytest.fixture
def known(tmp_path: Path) -> Scopes:
    return Scopes(open_database(str(tmp_path / "n.db")))


def line(task: str, *steps: dict[str, Any], **more: Any) -> str:
    return json.dumps({"task_id": task, "query": task, "environment": "desk", "steps": steps, **more})


def step(function: str, result: Any = None, **arguments: Any) -> dict[str, Any]:
    return {"function": function, "arguments": arguments, "result": result}


def learner(*known_ids: str) -> Callable[[Trajectory], bool]:
    def learn(trajectory: Trajectory) -> bool:
        if trajectory.task_id == "changed":
            raise TaskConflict("task 'changed' has another trajectory already")
        return trajectory.task_id not in known_ids

    return learn


def test_a_report_counts_what_was_stored_known_refused_and_in_conflict(known: Scopes) -> None:
    lines = [line("a", step("desk.f"), step("desk.g")), line("b", step("desk.f")), "{", line("changed", step("desk.f"))]
    report = Intake(learner("b"), known).take(lines, Origin())
    assert (report.stored, report.known, report.steps, report.inferred) == (1, 1, 2, {"desk": 2})
    assert [(bad.number, bad.message[:14], bad.excerpt) for bad in report.bad] == [
        (3, "not JSON: Expe", "{"),
        (0, "task 'changed'", "changed"),
    ]


def test_functions_that_nobody_described_are_inferred_over_several_recordings(known: Scopes) -> None:
    first = [
        line("a", step("desk.find", {"id": 7, "tags": ["x"]}, email="a")),
        line("b", step("desk.find", None, email="b", page=2)),
    ]
    Intake(learner(), known).take(first, Origin())
    Intake(learner(), known).take([line("c", step("desk.find", {"id": 1.5}, email="c", page="next"))], Origin())
    spec = known.view("desk").functions["desk.find"]
    assert (spec.doc, spec.effect) == ("", Effect.WRITE)
    page = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert spec.parameters == {
        "$comment": MARK,
        "type": "object",
        "properties": {"email": {"type": "string"}, "page": page},
        "required": ["email"],
    }
    found = {"id": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}}
    assert spec.returns == {"anyOf": [{"type": "object", "properties": found, "required": ["id"]}, {"type": "null"}]}


def test_a_function_that_was_described_stays_as_it_is(known: Scopes) -> None:
    described = FunctionSpec(name="desk.find", doc="Find.", effect=Effect.READ)
    known.remember("desk", {"desk.find": described})
    report = Intake(learner(), known).take([line("a", step("desk.find", 1, email="a"), step("desk.new"))], Origin())
    assert known.view("desk").functions["desk.find"] == described
    assert report.inferred == {"desk": 1}


def test_definitions_in_a_recording_describe_its_functions(known: Scopes) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"email": "a"}'}}
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [call]}]
    messages.append({"role": "tool", "tool_call_id": "c1", "content": "1"})
    tools = [
        {"type": "function", "function": {"name": "find", "description": "Find.", "parameters": {"type": "object"}}},
        7,
        {},
    ]
    text = json.dumps({"task_id": "t", "messages": messages, "tools": tools})
    report = Intake(learner(), known).take([text], Origin(fallback="desk"))
    assert (report.stored, report.inferred) == (1, {})
    assert known.view("desk").functions["desk.find"].doc == "Find."


def test_a_coding_agents_tools_have_the_effects_that_they_are_known_for() -> None:
    inferred = Inferred({})
    inferred.see([done("claude_code.Read", "x", file_path="a"), done("claude_code.Bash", "y", command="ls")])
    inferred.see(
        [
            done("claude_code.Edit", "z", file_path="a"),
            failed("claude_code.Grep", "no"),
            Step(function="a_tool", arguments={}),
        ]
    )
    assert {name: inferred.functions[name].effect.value for name in inferred.names} == {
        "claude_code.Read": "read",
        "claude_code.Bash": "destructive",
        "claude_code.Edit": "write",
    }


def test_tables_and_deep_values_are_described_as_anything() -> None:
    inferred = Inferred({})
    deep: Any = {"a": {"b": {"c": {"d": {"e": 1}}}}}
    inferred.see([done("desk.f", {str(number): 1 for number in range(100)}, deep=deep, mixed=[1, "x", None])])
    spec = inferred.functions["desk.f"]
    assert spec.returns == {"type": "object", "properties": {}}
    assert '"d"' not in json.dumps(spec.parameters)
    properties: Any = spec.parameters["properties"]
    assert properties["mixed"]["items"] == {"anyOf": [{"type": "integer"}, {"type": "null"}, {"type": "string"}]}


def session_lines(thread: str, prompt: str, *calls: str, **head: Any) -> list[str]:
    """Return the lines of a session of Codex: a prompt, and calls that were answered."""
    items: list[dict[str, Any]] = [{"type": "message", "role": "user", "content": prompt}]
    for id_ in calls:
        items.append({"type": "function_call", "call_id": id_, "name": "look", "arguments": json.dumps({"at": id_})})
        items.append({"type": "function_call_output", "call_id": id_, "output": "done"})
    about = {"type": "session_meta", "payload": {"id": thread, **head}}
    return [json.dumps(item) for item in [about, *({"type": "response_item", "payload": one} for one in items)]]


def hook_lines(session: str, prompt: str, *calls: str) -> list[str]:
    """Return what the same program hands to its hooks."""
    said: list[dict[str, Any]] = [{"hook_event_name": "UserPromptSubmit", "prompt": prompt}]
    for id_ in calls:
        call = {"tool_name": "look", "tool_input": {"at": id_}, "tool_use_id": id_}
        said.append({"hook_event_name": "PreToolUse", **call})
        said.append({"hook_event_name": "PostToolUse", **call, "tool_response": "done"})
    return [json.dumps({"session_id": session, **event}) for event in said]


def taken(path: Path, lines: list[str], format_: str) -> tuple[int, int, int, dict[str, int]]:
    """Take lines in by a program of its own; return tasks stored, tasks known, steps stored, and what was left out."""
    settings = Settings(database=str(path), sandbox="monty", worker="off")
    with Runtime(settings=settings) as runtime:
        report = runtime.ingest(lines, format=format_)
    return report.stored, report.known, report.steps, dict(report.left_out)


HELD = "calls that another recording holds"


def test_what_a_fork_repeats_of_its_parent_counts_once_over_several_readings(tmp_path: Path) -> None:
    parent = session_lines("p", "Look at the first", "c1", "c2")
    fork = session_lines("f", "Look at another", "c1", "c2", "c3", forked_from_id="p")
    assert taken(tmp_path / "n.db", parent, "codex") == (1, 0, 2, {})
    assert taken(tmp_path / "n.db", fork, "codex") == (1, 0, 1, {HELD: 2})
    assert taken(tmp_path / "n.db", fork, "codex") == (0, 1, 0, {HELD: 2})
    assert taken(tmp_path / "n.db", parent, "codex") == (0, 1, 0, {})


@pytest.mark.parametrize("first", ["session", "hooks"])
def test_a_session_and_what_its_hooks_were_told_count_once(first: str, tmp_path: Path) -> None:
    ways = {
        "session": (session_lines("s", "Look at both", "c1", "c2"), "codex"),
        "hooks": (hook_lines("s", "Look at both", "c1", "c2"), "hooks"),
    }
    lines, format_ = ways.pop(first)
    again, other = ways.popitem()[1]
    assert taken(tmp_path / "n.db", lines, format_) == (1, 0, 2, {})
    assert taken(tmp_path / "n.db", again, other) == (0, 0, 0, {HELD: 2, "prompts without a call": 1})
    assert taken(tmp_path / "n.db", lines, format_) == (0, 1, 0, {})
