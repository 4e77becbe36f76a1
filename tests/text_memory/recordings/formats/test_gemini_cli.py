"""Chats of Gemini CLI and Qwen Code: messages that grow, patches, results that are written twice."""

from __future__ import annotations

from typing import Any

from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.runs import failed, ok

HEAD = {"sessionId": "g-1", "projectHash": "p", "startTime": "t", "lastUpdated": "t", "kind": "main"}
CONTEXT = "<session_context>\n- **Workspace Directories:**\n  - /srv/app\n</session_context>"


def said(id_: str, *texts: str) -> dict[str, Any]:
    return {"id": id_, "type": "user", "content": [{"text": text} for text in texts]}


def done(id_: str, *calls: dict[str, Any], text: str = "") -> dict[str, Any]:
    return {
        "id": id_,
        "type": "gemini",
        "content": text,
        "model": "g-pro",
        **({"toolCalls": [*calls]} if calls else {}),
    }


def call(name: str, response: Any, status: str = "success", shown: str = "", **args: Any) -> dict[str, Any]:
    result = [{"functionResponse": {"id": f"{name}_1", "name": name, "response": response}}]
    return {"id": f"{name}_1", "name": name, "args": args, "result": result, "status": status, "displayName": shown}


def shell(command: str, output: str, code: int = 0) -> dict[str, Any]:
    told = f"<untrusted_context>\nOutput: {output}\n{f'Exit Code: {code}' + chr(10) if code else ''}Process Group PGID: 7\n"
    return call("run_shell_command", {"output": f"{told}</untrusted_context>"}, command=command)


def test_the_last_writing_of_a_message_counts_and_its_results_are_read_once() -> None:
    search = call(
        "mcp_wiki_find",
        {"output": '<untrusted_context>\n{"n": 1}\n</untrusted_context>'},
        shown="find (wiki MCP Server)",
    )
    edit = call("replace", {"error": "no such text"}, status="error", file_path="a")
    kept = SharedReading()
    (task,) = tasks(
        HEAD,
        {"$set": {"messages": [said("u0", CONTEXT)], "lastUpdated": "t"}},
        said("u1", "Count the lines"),
        done("m1", text="I will look."),
        {"$set": {"lastUpdated": "t"}},
        done("m1", shell("wc -l a", "2 a"), search, text="I will look."),
        {"id": "u2", "type": "user", "content": [search["result"][0]]},
        done("m2", shell("cat b; exit 3", "cat: b: none", 3), edit, call("glob", {"output": "[]"}, status="cancelled")),
        {"id": "i", "type": "info", "content": "Update available"},
        kept=kept,
    )  # fmt: skip
    assert (task.task_id, task.query, task.environment) == ("gemini-cli:u1", "Count the lines", "gemini_cli")
    assert task.steps == (
        ok("shell.wc", "2 a", arguments=["-l", "a"]),
        ok("wiki.find", {"n": 1}),
        failed("shell.cat", "Exit code 3\ncat: b: none", kind="CommandFailed", arguments=["b"]),
        failed("gemini_cli.replace", "no such text", file_path="a"),
    )
    assert task.meta["cwd"] == "/srv/app"
    assert kept.left_out == {"messages of type info": 1, "calls that the user refused": 1}


def test_a_message_a_line_as_qwen_code_writes_them() -> None:
    about = {"sessionId": "q-1", "uuid": "u1", "cwd": "/srv/app", "version": "0.15"}
    asked = {"role": "user", "parts": [{"text": "Read the notes"}]}
    use = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a"}}}
    bad = {"functionCall": {"id": "c2", "name": "mcp__wiki__find", "args": {}}}
    answers = [
        {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "alpha"}}},
        {"functionResponse": {"id": "c2", "name": "mcp__wiki__find", "response": {"error": "q is missing"}}},
    ]
    (task,) = tasks(
        {**about, "type": "system", "subtype": "ui_telemetry"},
        {**about, "type": "user", "message": asked},
        {
            **about,
            "uuid": "u2",
            "type": "assistant",
            "message": {"role": "model", "parts": [{"text": "Yes."}, use, bad]},
        },
        {**about, "uuid": "u3", "type": "tool_result", "message": {"role": "user", "parts": [answers[0]]}},
        {**about, "uuid": "u4", "type": "tool_result", "message": {"role": "user", "parts": [answers[1]]}},
    )
    assert (task.task_id, task.query, task.environment) == ("qwen-code:u1", "Read the notes", "qwen_code")
    assert task.steps == (ok("qwen_code.read_file", "alpha", path="a"), failed("wiki.find", "q is missing"))
