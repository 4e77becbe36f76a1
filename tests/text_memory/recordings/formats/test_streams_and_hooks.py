"""What CI jobs keep (streams of one run) and what hooks are handed: the same calls as the sessions hold."""

from __future__ import annotations

from typing import Any

from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.recordings.formats.test_claude_code import result, use
from tests.text_memory.runs import failed, ok


def streamed(kind: str, *content: Any, uuid: str = "", **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": [*content]}
    return {"type": kind, "message": message, "parent_tool_use_id": None, "session_id": "s1", "uuid": uuid, **more}


STREAM = [
    {"type": "system", "subtype": "init", "session_id": "s1", "cwd": "/work/app", "model": "c-1", "tools": []},
    streamed("assistant", use("t1", "Read", file_path="a"), uuid="u1"),
    streamed("user", result("t1", "alpha"), uuid="u2"),
    streamed("assistant", use("t2", "Agent", prompt="Look"), uuid="u3"),
    streamed("user", {"type": "text", "text": "Look"}, uuid="u4", parent_tool_use_id="t2"),
    streamed("assistant", use("t3", "Grep", pattern="x"), uuid="u5", parent_tool_use_id="t2"),
    streamed("user", result("t3", "b: x"), uuid="u6", parent_tool_use_id="t2"),
    streamed("user", result("t2", "found"), uuid="u7"),
    {"type": "result", "subtype": "success", "is_error": False, "session_id": "s1", "uuid": "u8"},
]


def test_a_stream_of_claude_code_has_no_prompt_so_calls_stand_for_it() -> None:
    main, kid = tasks(*STREAM)
    assert main.steps == (
        ok("claude_code.Read", "alpha", file_path="a"),
        ok("claude_code.Agent", "found", prompt="Look"),
    )
    assert main.query.startswith('Claude Code: claude_code.Read({"file_path":"a"}); ')
    assert (main.meta["cwd"], main.meta["model"]) == ("/work/app", "c-1")
    assert (kid.query, kid.meta["parent"]) == ("Look", "s1")


def test_a_stream_that_repeats_a_session_adds_nothing() -> None:
    kept = SharedReading()
    assert len(tasks(*STREAM, kept=kept, name="one")) == 2
    assert tasks(*STREAM, kept=kept, name="two") == []
    assert kept.left_out["lines that another recording holds"] == 7


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"id": f"i-{kind}", "type": kind, **fields}}


def test_the_events_of_codex_exec_become_one_task() -> None:
    kept = SharedReading()
    refused = item(
        "mcp_tool_call",
        server="wiki",
        tool="cut",
        arguments={},
        result=None,
        error={"message": "closed"},
        status="failed",
    )
    found = {"content": [{"type": "text", "text": "1"}], "structured_content": {"n": 1}}
    (task,) = tasks(
        {"type": "thread.started", "thread_id": "th-1"},
        {"type": "turn.started"},
        {"type": "item.started", "item": {"id": "i", "type": "command_execution", "command": "x", "status": "in_progress"}},
        item("command_execution", command="/bin/bash -lc 'npm ci'", aggregated_output="no lock", exit_code=1, status="failed"),
        item("command_execution", command="/bin/bash -lc 'npm install'", aggregated_output="added 3\n", exit_code=0),
        item("mcp_tool_call", server="wiki", tool="find", arguments={"q": "x"}, result=found, error=None, status="completed"),
        refused,
        item("agent_message", text="Done."),
        item("todo_list", items=[]),
        {"type": "turn.completed", "usage": {}},
        kept=kept,
    )  # fmt: skip
    assert task.task_id == "codex-exec:th-1:1"
    assert task.steps == (
        failed("shell.npm_ci", "Exit code 1\nno lock", kind="CommandFailed", arguments=[]),
        ok("shell.npm_install", "added 3", arguments=[]),
        ok("wiki.find", {"n": 1}, q="x"),
        failed("wiki.cut", "closed", kind="McpError"),
    )
    assert kept.left_out == {"items of type todo_list": 1}


def event(kind: str, tool: str = "", id_: str = "", **more: Any) -> dict[str, Any]:
    called = (
        {"tool_name": tool, "tool_input": {"command": "make"} if tool == "Bash" else {}, "tool_use_id": id_}
        if tool
        else {}
    )
    path = "/home/u/.claude/projects/-app/s1.jsonl"
    return {"hook_event_name": kind, "session_id": "s1", "transcript_path": path, "cwd": "/work/app", **called, **more}


def test_hooks_of_claude_code_tell_failures_by_another_event() -> None:
    (task,) = tasks(
        event("SessionStart", source="startup"),
        event("UserPromptSubmit", prompt="Build it"),
        event("PreToolUse", "Bash", "t1"),
        event("PreToolUse", "mcp__wiki__find", "t2"),
        event("PostToolUse", "mcp__wiki__find", "t2", tool_response='{"n": 1}'),
        event("PostToolUseFailure", "Bash", "t1", error="Exit code 2\nno rule", is_interrupt=False),
        event("PreToolUse", "Bash", "t3"),
        event("PostToolUse", "Bash", "t3", tool_response={"stdout": "ok", "stderr": "", "interrupted": False}),
        event("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_use_id": "t3", "tool_response": "ok"}]),
        event("PreToolUse", "Bash", "t4"),
        event("PostToolUseFailure", "Bash", "t4", error="interrupted", is_interrupt=True),
        event("Stop"),
    )
    assert (task.query, task.environment, task.meta["refused"]) == ("Build it", "claude_code", 1)
    assert task.steps == (
        failed("shell.make", "Exit code 2\nno rule", kind="CommandFailed", arguments=[]),
        ok("wiki.find", {"n": 1}),
        ok("shell.make", "ok", arguments=[]),
    )


def test_hooks_of_gemini_cli_have_no_ids_and_those_of_opencode_are_functions_of_a_plugin() -> None:
    about = {"session_id": "g1", "transcript_path": "/home/u/.gemini/tmp/app/chats/x.jsonl"}
    answer = {"llmContent": "<untrusted_context>\nOutput: 2 a\n</untrusted_context>", "returnDisplay": "2 a"}
    failure = {"llmContent": "no", "returnDisplay": "Error", "error": {"message": "no"}}
    (task,) = tasks(
        {"arg": "x", "payload": {**about, "hook_event_name": "BeforeAgent", "prompt": "Count"}},
        {**about, "hook_event_name": "BeforeTool", "tool_name": "read_file", "tool_input": {"path": "a"}},
        {**about, "hook_event_name": "BeforeTool", "tool_name": "read_file", "tool_input": {"path": "b"}},
        {**about, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": {"path": "b"}, "tool_response": failure},
        {**about, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": {"path": "a"}, "tool_response": answer},
    )  # fmt: skip
    assert task.steps == (ok("gemini_cli.read_file", "2 a", path="a"), failed("gemini_cli.read_file", "no", path="b"))
    given = {"tool": "wiki_find", "sessionID": "o1", "callID": "c1"}
    (other,) = tasks(
        {
            "hook": "chat.message",
            "input": {"sessionID": "o1"},
            "output": {"parts": [{"type": "text", "text": "Find x"}]},
        },
        {"hook": "tool.execute.before", "input": given, "output": {"args": {"q": "x"}}},
        {"hook": "tool.execute.after", "input": given, "output": {"structuredContent": {"n": 1}, "isError": False}},
    )
    assert (other.query, other.environment, other.steps) == ("Find x", "opencode", (ok("wiki.find", {"n": 1}, q="x"),))
