"""Rollout files of Codex: with envelopes and without, outputs as text, JSON or objects."""

from __future__ import annotations

import json
from typing import Any

import pytest

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
    assert first.meta == {"format": "codex", "session": "r-1", **told}
