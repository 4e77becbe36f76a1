"""Search, describe, call, recall, report: what a client gets back, and what it is told when it errs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import CallToolResult, TextContent

from nucleate.mcp import open_server
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Draft, Kind
from nucleate_tool_library import ToolUse
from tests.doubles import BrokenSandbox
from tests.runtime.mcp.office import (
    ADD_TWICE,
    COUNT,
    FAIL,
    LIE,
    MODES,
    REPEAT,
    Office,
    ask,
    in_office,
    opened,
)

SEARCH_RESULT = {
    "name": "count_notes",
    "signature": "def count_notes() -> int",
    "description": "Count the notes.",
}


def called(tool: str, /, **arguments: Any) -> Any:
    return lambda client: client.call_tool(tool, arguments)


def error(result: CallToolResult) -> JsonObject:
    """Return the error that must be there, which the text says too."""
    assert result.is_error
    assert result.structured_content is None
    said: JsonObject = (result.meta or {})["nucleate/error"]
    block = result.content[0]
    assert isinstance(block, TextContent)
    assert block.text.startswith(f"{said['kind']}: {said['message']}")
    return said


@pytest.mark.parametrize("mode", MODES)
def test_search_finds_a_tool_and_says_how_it_is_called(mode: str, tmp_path: Path) -> None:
    found = in_office(tmp_path, called("search_tools", query="count how many notes there are", limit=1), mode=mode)
    assert found.structured_content == {"tools": [SEARCH_RESULT]}


def test_describe_tells_everything_about_a_tool(tmp_path: Path) -> None:
    found = in_office(tmp_path, called("describe_tool", name="add_twice"), ADD_TWICE)
    assert found.structured_content["tool"] == {
        "name": "add_twice",
        "signature": "def add_twice(text: str, loud: bool=False) -> list[str]",
        "doc": "Add a note two times and return all notes.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "loud": {"type": "boolean", "default": False}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "returns": {"type": "array", "items": {"type": "string"}},
        "calls": ["notes.add", "notes.list"],
        "environment": "office",
        "uses": 0,
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["call_tool", "direct"])
def test_a_call_returns_text_for_a_model_and_the_same_as_structure(mode: str, way: str, tmp_path: Path) -> None:
    given = {"text": "milk", "loud": True}
    work = called("add_twice", **given) if way == "direct" else called("call_tool", name="add_twice", arguments=given)
    result = in_office(tmp_path, work, ADD_TWICE, mode=mode)
    assert (result.is_error, result.structured_content) == (False, {"result": ["MILK", "MILK"]})
    assert [block.text for block in result.content] == ['{"result":["MILK","MILK"]}']


def test_a_call_is_counted_as_a_use_over_mcp(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT) as runtime, open_server(runtime, [Office()]) as server:
        ask(server, called("call_tool", name="count_notes"))
        assert runtime.library.stats().tools == (ToolUse(name="count_notes", scope="office", uses=1, passes=1),)


def test_wrong_arguments_are_named_with_the_schema_and_nothing_is_called(tmp_path: Path) -> None:
    office = Office()
    given = {"name": "add_twice", "arguments": {"txt": "milk", "loud": "very"}}
    said = error(in_office(tmp_path, called("call_tool", **given), ADD_TWICE, office=office))
    assert said["kind"] == "InvalidArguments"
    assert said["message"] == (
        "add_twice: 'txt' is not an argument; did you mean 'text'?; 'text' is missing; "
        "loud: 'very' is not of type 'boolean'"
    )
    assert said["schema"] == {
        "type": "object",
        "properties": {"text": {"type": "string"}, "loud": {"type": "boolean", "default": False}},
        "required": ["text"],
        "additionalProperties": False,
    }
    assert office.notes == []


def test_wrong_arguments_of_a_meta_tool_are_named_too(tmp_path: Path) -> None:
    said = error(in_office(tmp_path, called("search_tools", q="notes"), COUNT))
    assert said["message"] == "search_tools: 'query' is missing; 'q' is not an argument; it takes 'limit', 'query'"


@pytest.mark.parametrize("work", [called("call_tool", name="count_note"), called("count_note")], ids=["meta", "direct"])
def test_an_unknown_tool_is_answered_with_the_nearest_names(work: Any, tmp_path: Path) -> None:
    said = error(in_office(tmp_path, work, COUNT))
    assert said == {
        "kind": "UnknownTool",
        "message": "there is no tool 'count_note'; did you mean 'count_notes'?",
    }


def test_a_tool_that_fails_says_why(tmp_path: Path) -> None:
    said = error(in_office(tmp_path, called("fail_always"), FAIL))
    assert said == {"kind": "ValueError", "message": "there is no way"}


def test_what_the_environment_refuses_is_said_in_its_own_words_with_the_calls_made(tmp_path: Path) -> None:
    said = error(in_office(tmp_path, called("add_twice", text="forbidden"), ADD_TWICE))
    assert said == {"kind": "NoteForbidden", "message": "this note may not be written", "calls": ["notes.add"]}


def test_a_result_that_is_not_of_the_promised_type_is_an_error_that_shows_it(tmp_path: Path) -> None:
    said = error(in_office(tmp_path, called("lie_about_type"), LIE))
    assert (said["kind"], said["result"]) == ("UnexpectedResult", "no number")
    assert said["message"] == (
        "lie_about_type was called, but its result is not of its type: $.result: 'no number' is not of type 'integer'"
    )


def test_a_result_that_is_too_large_shows_its_size_and_its_beginning(tmp_path: Path) -> None:
    said = error(in_office(tmp_path, called("repeat_text", text="ab", times=100_000), REPEAT))
    assert said["kind"] == "ResultTooLarge"
    assert str(said["message"]).startswith(
        'the result is 200,013 bytes of JSON and an answer holds 100,000; ask for less. It begins with {"result":"abab'
    )
    assert len(str(said["message"])) < 2_200


def test_an_outage_is_no_fault_of_the_tool_and_no_use(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT, sandbox=BrokenSandbox()) as runtime, open_server(runtime, [Office()]) as server:
        said = error(ask(server, called("count_notes")))
        assert said == {
            "kind": "Unavailable",
            "message": "no engine answers; start Docker. This says nothing about the tool; try again later",
        }
        assert runtime.library.tool("count_notes").uses == 0


def test_recall_returns_the_entries_of_the_environments_served(tmp_path: Path) -> None:
    pitfall = Draft(
        kind=Kind.PITFALL, scope="office", title="Notes are public", body="Write no secret.", source="user:owner"
    )
    with opened(tmp_path, COUNT) as runtime, open_server(runtime, [Office()]) as server:
        runtime.memory.release(runtime.memory.add(pitfall).id, by="owner", why="it is so")
        found = ask(server, called("recall", query="write a secret note"))
    assert found.structured_content == {
        "entries": [
            {"kind": "pitfall", "title": "Notes are public", "body": "Write no secret.", "environment": "office"}
        ]
    }


def test_recall_repeats_nothing_within_a_task_and_names_no_tool_that_cannot_be_called(tmp_path: Path) -> None:
    plan = Draft(kind=Kind.PLAN, scope="office", title="Count notes", body="1. Count them.", source="user:owner")
    with opened(tmp_path, COUNT) as runtime, open_server(runtime, [Office()]) as server:
        known = runtime.memory.release(runtime.memory.add(plan).id, by="owner", why="it is so")
        for name in ("count_notes", "gone"):
            runtime.memory.link_tool(known.id, name)

        async def recalled(client: Client) -> list[CallToolResult]:
            return [await client.call_tool("recall", {"query": "count the notes"}) for _ in range(2)]

        first, again = ask(server, recalled)
    (told,) = first.structured_content["entries"]
    assert told["tools"] == ["count_notes"]
    assert again.structured_content == {"entries": []}


async def work_and_report(client: Client) -> CallToolResult:
    await client.call_tool("search_tools", {"query": "notes"})
    await client.call_tool("add_twice", {"text": "milk"})
    await client.call_tool("call_tool", {"name": "fail_always"})
    report = {"task": "Write down that we need milk", "success": True, "feedback": "went well"}
    return await client.call_tool("report_outcome", report)


@pytest.mark.parametrize("mode", MODES)
def test_a_report_stores_the_calls_of_the_session_as_a_run_of_the_task(mode: str, tmp_path: Path) -> None:
    with opened(tmp_path, ADD_TWICE, FAIL) as runtime, open_server(runtime, [Office()]) as server:
        answer = ask(server, work_and_report, mode=mode)
        (run,) = runtime.memory.trajectories("office")
    assert answer.structured_content == {"recorded": 2}
    assert (run.query, run.success) == ("Write down that we need milk", True)
    assert run.meta == {"client": "mcp", "feedback": "went well"}
    assert [(step.function, step.error.kind if step.error else step.result) for step in run.steps] == [
        ("add_twice", ["milk", "milk"]),
        ("fail_always", "ValueError"),
    ]


def test_a_report_of_a_wrong_answer_is_held_against_the_tool(tmp_path: Path) -> None:
    report = {"task": "Count", "success": False, "feedback": "it counted twice", "wrong_tool": "count_note"}
    with opened(tmp_path, COUNT) as runtime, open_server(runtime, [Office()]) as server:
        unknown = ask(server, called("report_outcome", **report))
        known = ask(server, called("report_outcome", **{**report, "wrong_tool": "count_notes"}))
    assert error(unknown)["message"] == "there is no tool 'count_note'; did you mean 'count_notes'?"
    assert known.structured_content == {"recorded": 0}


ANSWERED: list[tuple[str, dict[str, Any]]] = [
    ("search_tools", {"query": "count"}),
    ("search_tools", {}),
    ("describe_tool", {"name": "add_twice"}),
    ("describe_tool", {"name": "nothing"}),
    ("call_tool", {"name": "add_twice", "arguments": {"text": "tea"}}),
    ("call_tool", {"name": "add_twice", "arguments": {"texts": "tea"}}),
    ("call_tool", {"name": "nothing"}),
    ("recall", {"query": "notes"}),
    ("report_outcome", {"task": "Note that we need tea", "success": "perhaps"}),
    ("add_twice", {"text": "tea"}),
    ("add_twice", {"text": 7}),
]


def test_every_answer_fits_what_its_tool_declares_as_a_validating_client_asks(tmp_path: Path) -> None:
    """What the TypeScript SDK does: structured content that is there is held against the schema, errors or not."""

    async def work(client: Client) -> list[str]:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        unfit = []
        for name, arguments in ANSWERED:
            result = await client.call_tool(name, arguments)
            said, schema = result.structured_content, schemas[name]
            missing = said is None and not result.is_error
            if schema is not None and (
                missing or (said is not None and not Draft202012Validator(schema).is_valid(said))
            ):
                unfit.append(f"{name}({arguments}) -> {said}")
        return unfit

    assert in_office(tmp_path, work, ADD_TWICE) == []
