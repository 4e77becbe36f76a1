"""Rollout files of Codex: with envelopes and without, outputs as text, JSON or objects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.runs import failed, ok


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def said(role: str, text: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def call(id_: str, name: str, **given: Any) -> dict[str, Any]:
    return item("function_call", name=name, arguments=json.dumps(given), call_id=id_)


def output(id_: str, value: Any, kind: str = "function_call_output") -> dict[str, Any]:
    return item(kind, call_id=id_, output=value)


ITEMS = [
    said("user", "<environment_context>\n<cwd>/work</cwd>\n</environment_context>"),
    said("user", "# AGENTS.md instructions for /work\nBe brief."),
    said("user", "Make the tests pass"),
    item("reasoning", summary=[], encrypted_content="x"),
    call("c1", "shell", command=["pytest"]),
    output("c1", json.dumps({"output": "1 failed", "metadata": {"exit_code": 1, "duration_seconds": 2.0}})),
    item("custom_tool_call", call_id="c2", name="apply_patch", input="*** Begin Patch"),
    output("c2", json.dumps({"output": "Success", "metadata": {"exit_code": 0}}), "custom_tool_call_output"),
    call("c3", "shell", command=["pytest"]),
    output("c3", {"content": "2 passed", "success": True}),
    said("assistant", "All pass."),
    said("user", "Describe the change in CHANGELOG.md"),
    item("local_shell_call", call_id="c4", action={"type": "exec", "command": ["cat", "CHANGELOG.md"]}),
    output("c4", [{"type": "output_text", "text": "# Changes"}], "local_shell_call_output"),
    item("function_call", name="broken", arguments="{oops", call_id="c5"),
    output("c5", {"content": "failed to parse", "success": False}),
]


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_rollout_becomes_a_task_for_each_prompt(wrapped: bool) -> None:
    meta = {"id": "r-1", "timestamp": "2025-12-08", "cwd": "/work", "cli_version": "0.65.0", "instructions": None}
    lines: list[Any] = [meta, *ITEMS]
    if wrapped:
        lines = [{"timestamp": "t", "type": "response_item", "payload": line} for line in ITEMS]
        lines.insert(0, {"timestamp": "t", "type": "session_meta", "payload": meta})
        lines.insert(1, {"timestamp": "t", "type": "turn_context", "payload": {"model": "m-1", "cwd": "/work"}})
        lines.append({"timestamp": "t", "type": "event_msg", "payload": {"type": "token_count"}})
    first, second = tasks(*lines)
    assert (first.task_id, first.query, first.environment) == ("codex:r-1:1", "Make the tests pass", "codex")
    assert first.steps == (
        failed("shell.pytest", "Exit code 1\n1 failed", kind="CommandFailed", arguments=[]),
        ok("codex.apply_patch", "Success", input="*** Begin Patch"),
        ok("shell.pytest", "2 passed", arguments=[]),
    )
    assert (second.task_id, second.query) == ("codex:r-1:2", "Describe the change in CHANGELOG.md")
    assert second.steps == (
        ok("shell.cat", "# Changes", arguments=["CHANGELOG.md"]),
        failed("codex.broken", "failed to parse", input="{oops"),
    )
    model = {"model": "m-1"} if wrapped else {}
    told = {"cwd": "/work", "version": "0.65.0", "commands": {"0": "pytest", "2": "pytest"}, **model}
    assert first.meta == {"format": "codex", "session": "r-1", "call_ids": ["c1", "c2", "c3"], **told}


def wrapped(*items: Any, thread: str = "r-1", **head: Any) -> list[Any]:
    meta = {"type": "session_meta", "payload": {"id": thread, "cwd": "/work", **head}}
    return [meta, *({"type": "response_item", "payload": one} for one in items)]


FORMS = [
    (
        "Chunk ID: 5f2a\nWall time: 0.8 seconds\nProcess exited with code 4\nOriginal token count: 1\nOutput:\nno file\n",
        4,
    ),
    ("Exit code: 4\nWall time: 0.7 seconds\nOutput:\nno file\n", 4),
    (json.dumps({"output": "no file", "metadata": {"exit_code": 4}}), 4),
    ("Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\ndone\n", 0),
    ("no file\n[Command finished with exit code 4]", 4),
    ("no file\nexit status 4", 4),
]


@pytest.mark.parametrize(("written", "code"), FORMS)
def test_an_exit_code_fails_a_step_in_every_form_in_which_it_comes(written: str, code: int) -> None:
    (task,) = tasks(*wrapped(said("user", "Run it"), call("c1", "exec_command", cmd="make x"), output("c1", written)))
    expected = {
        4: failed("shell.make", "Exit code 4\nno file", kind="CommandFailed", arguments=["x"]),
        0: ok("shell.make", "done", arguments=["x"]),
    }
    assert task.steps == (expected[code],)


def test_events_namespaces_refusals_and_notices_are_read_as_what_they_are() -> None:
    kept = SharedReading()
    events = [
        {
            "type": "McpToolCall",
            "id": "c2",
            "status": "failed",
            "result": {"content": [{"type": "text", "text": "q is missing"}], "isError": True},
        },
        {"type": "CommandExecution", "id": "c3", "status": "failed", "exit_code": 3, "aggregated_output": "gone"},
    ]
    (task,) = tasks(
        *wrapped(
            said("user", "Use the release skill"),
            said("user", "<skill>\n<name>release</name>\n</skill>"),
            {**call("c1", "find", q="x"), "namespace": "mcp__wiki"},
            output("c1", "1"),
            said("user", '<subagent_notification>\n{"agent_id": "a"}\n</subagent_notification>'),
        ),
        *({"type": "event_msg", "payload": {"type": "item_completed", "item": event}} for event in events),
        *wrapped(
            {**call("c2", "find"), "namespace": "mcp__wiki"},
            output("c2", "Wall time: 0.1 seconds\nOutput:\nq is missing"),
            call("c3", "exec_command", cmd="make tag"),
            output("c3", "gone"),
            call("c4", "exec_command", cmd="make publish"),
            output("c4", "aborted by user after 9.4s"),
            item("custom_tool_call", call_id="c5", name="apply_patch", input="*** Begin Patch"),
            output("c5", "apply_patch verification failed: no such lines", "custom_tool_call_output"),
        ),
        {"type": "world_state", "payload": {}},
        kept=kept,
    )  # fmt: skip
    assert task.query == "Use the release skill"
    assert task.steps == (
        ok("wiki.find", 1, q="x"),
        failed("wiki.find", "q is missing"),
        failed("shell.make", "Exit code 3\ngone", kind="CommandFailed", arguments=["tag"]),
        failed("codex.apply_patch", "apply_patch verification failed: no such lines", input="*** Begin Patch"),
    )
    assert kept.left_out == {"lines of type world_state": 1, "calls that the user refused": 1}


def test_a_fork_that_repeats_its_parent_adds_its_own_work_alone() -> None:
    kept = SharedReading()
    first = [said("user", "Run it"), call("c1", "exec_command", cmd="make"), output("c1", "done")]
    own = [said("user", "Now clean the folder build"), call("c2", "exec_command", cmd="make clean"), output("c2", "ok")]
    (parent,) = tasks(*wrapped(*first), kept=kept)
    (fork,) = tasks(*wrapped(*first, *own, thread="r-2", forked_from_id="r-1"), kept=kept)
    assert (parent.query, fork.query) == ("Run it", "Now clean the folder build")
    assert (fork.meta["parent"], len(fork.steps)) == ("r-1", 1)
    assert kept.left_out["calls that another recording holds"] == 1
