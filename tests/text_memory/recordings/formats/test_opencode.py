"""opencode's sessions: rows in any order, exports and the events of a run are read alike."""

from __future__ import annotations

import json
from typing import Any

from nucleate_text_memory.recordings.formats import SharedReading
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.runs import failed, ok

STEPS = (
    ok("shell.wc", "2 a", arguments=["-l", "a"]),
    failed("opencode.edit", "no such text", filePath="a"),
    failed("shell.make", "Exit code 2\nno rule", kind="CommandFailed", arguments=[]),
    ok("wiki.find", {"n": 1}, q="x"),
)


def part(number: int, tool: str, state: dict[str, Any], message: str = "m2") -> dict[str, Any]:
    about = {"id": f"prt_{number}", "messageID": message, "sessionID": "ses_1"}
    return {"type": "tool", "tool": tool, "callID": f"c{number}", "state": state, **about}


def ended(output: str, exit_code: int | None = None, **given: Any) -> dict[str, Any]:
    told = {} if exit_code is None else {"metadata": {"exit": exit_code}}
    return {"status": "completed", "input": given, "output": output, **told}


PARTS = [
    part(2, "bash", ended("2 a\n", 0, command="wc -l a")),
    part(3, "edit", {"status": "error", "input": {"filePath": "a"}, "error": "no such text"}),
    part(4, "bash", ended("no rule\n", 2, command="make")),
    part(5, "wiki_find", ended('{"n": 1}', q="x")),
    part(
        6,
        "read",
        {"status": "error", "input": {}, "error": "The user rejected permission to use this specific tool call."},
    ),
    part(7, "list", {"status": "running", "input": {}}),
]
PROMPT = {"type": "text", "text": "Count the lines", "id": "prt_1", "messageID": "m1", "sessionID": "ses_1"}
KIDS = {"type": "text", "text": "Look", "id": "prt_8", "messageID": "m3", "sessionID": "ses_2"}


def test_an_export_is_a_task_for_each_prompt() -> None:
    kept = SharedReading()
    messages = [
        {"info": {"id": "m1", "role": "user", "time": {"created": 1}}, "parts": [PROMPT]},
        {"info": {"id": "m2", "role": "assistant", "time": {"created": 2}}, "parts": PARTS[::-1]},
    ]
    (task,) = tasks(
        {"info": {"id": "ses_1", "directory": "/work/app", "version": "1.18"}, "messages": messages}, kept=kept
    )
    assert (task.task_id, task.query, task.environment) == ("opencode:prt_1", "Count the lines", "opencode")
    assert task.steps == STEPS
    assert (task.meta["cwd"], task.meta["refused"]) == ("/work/app", 1)
    assert kept.left_out == {"calls that the user refused": 1, "calls never answered": 1}


def test_rows_of_the_database_are_put_in_order_and_a_sub_agent_says_whose_it_is() -> None:
    def row(table: str, id_: str, data: Any = None, session: str = "ses_1", **more: Any) -> dict[str, Any]:
        told = {} if data is None else {"data": json.dumps(data)}
        return {"table": table, "id": id_, "session_id": session, **told, **more}

    kid = part(9, "bash", ended("1\n", 0, command="ls | wc -l"), "m4") | {"sessionID": "ses_2"}
    first, second = tasks(
        row("part", "prt_9", kid, "ses_2", message_id="m4"),
        row("part", "prt_8", KIDS, "ses_2", message_id="m3"),
        row("session", "ses_2", parent_id="ses_1", directory="/work/app"),
        row("message", "m4", {"role": "assistant"}, "ses_2", time_created=4),
        row("message", "m3", {"role": "user"}, "ses_2", time_created=3),
        *(row("part", item["id"], item, message_id="m2") for item in PARTS),
        row("part", "prt_1", PROMPT, message_id="m1"),
        row("message", "m2", {"role": "assistant"}, time_created=2),
        row("message", "m1", {"role": "user"}, time_created=1),
        row("session", "ses_1", parent_id=None, directory="/work/app"),
    )
    assert (first.query, first.meta["parent"]) == ("Look", "ses_1")
    assert first.steps == (
        ok("shell.ls", None, arguments=[]),
        ok("shell.wc", 1, arguments=["-l"], input_from="the command before"),
    )
    assert (second.query, second.steps) == ("Count the lines", STEPS)


def test_the_events_of_a_run_have_no_prompt_so_calls_stand_for_it() -> None:
    events = [{"type": "tool_use", "timestamp": 1, "sessionID": "ses_1", "part": item} for item in PARTS]
    (task,) = tasks({"type": "step_start", "sessionID": "ses_1", "part": {"type": "step-start"}}, *events)
    assert task.steps == STEPS
    assert task.query.startswith('opencode run: shell.wc({"arguments":["-l","a"]}); opencode.edit(')
