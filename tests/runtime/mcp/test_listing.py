"""What `tools/list` shows: few tools, short, in an order that stays, each on its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client
from mcp_types import Tool

from nucleate.mcp import ServingBounds, open_server
from nucleate_tool_library import State
from tests.runtime.mcp.office import ADD_TWICE, CLEAR, COUNT, MODES, REPEAT, Office, ask, in_office, opened, version

META = ["search_tools", "describe_tool", "call_tool", "recall", "report_outcome"]


async def listed(client: Client) -> list[Tool]:
    return (await client.list_tools()).tools


async def names(client: Client) -> list[str]:
    return [tool.name for tool in await listed(client)]


@pytest.mark.parametrize("mode", MODES)
def test_the_meta_tools_come_first_and_the_direct_tools_by_name(mode: str, tmp_path: Path) -> None:
    assert in_office(tmp_path, names, COUNT, ADD_TWICE, mode=mode) == [*META, "add_twice", "count_notes"]


def test_only_so_many_tools_are_listed_and_the_most_used_are_preferred(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT, ADD_TWICE, REPEAT) as runtime:
        used = runtime.library.tool("repeat_text").version
        runtime.library.record_invocation(used.id, ok=True, milliseconds=1.0, calls=0, path="agent")
        with open_server(runtime, [Office()], serving=ServingBounds(direct=2)) as server:
            assert ask(server, names) == [*META, "add_twice", "repeat_text"]


def test_a_new_tool_is_listed_behind_the_others_and_an_archived_one_leaves_no_trace(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT, REPEAT) as runtime, open_server(runtime, [Office()]) as server:
        before = ask(server, names)
        runtime.library.register(version(ADD_TWICE), state=State.ACTIVE, approved_by="test")
        after = ask(server, names)
        runtime.library.transition("count_notes", "office", to=State.ARCHIVED, by="test", why="old")
        last = ask(server, names)
    assert before == [*META, "count_notes", "repeat_text"]
    assert after == [*META, "count_notes", "repeat_text", "add_twice"]
    assert last == [*META, "repeat_text", "add_twice"]


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_says_what_it_takes_gives_and_does(mode: str, tmp_path: Path) -> None:
    tool = in_office(tmp_path, listed, ADD_TWICE, mode=mode)[-1]
    assert tool.description == "Add a note two times and return all notes."
    assert tool.input_schema["required"] == ["text"]
    assert tool.output_schema == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
        "required": ["result"],
    }


def test_the_hints_come_from_the_effects(tmp_path: Path) -> None:
    tools = {tool.name: tool.annotations for tool in in_office(tmp_path, listed, COUNT, ADD_TWICE, CLEAR, REPEAT)}
    hints = {
        name: (found.read_only_hint, found.destructive_hint, found.open_world_hint)
        for name, found in tools.items()
        if found is not None and name not in META
    }
    assert hints == {
        "add_twice": (False, False, True),
        "clear_notes": (False, True, True),
        "count_notes": (True, None, True),
        "repeat_text": (True, None, False),
    }


def test_a_tool_whose_schema_is_broken_costs_no_other_its_place(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT, REPEAT) as runtime:
        broken = version(ADD_TWICE)
        broken.signature.parameters["type"] = "array"
        runtime.library.register(broken, state=State.ACTIVE, approved_by="test")
        with open_server(runtime, [Office()]) as server:
            found = ask(server, names)
            answer = ask(server, lambda client: client.call_tool("call_tool", {"name": "add_twice"}))
    assert found == [*META, "count_notes", "repeat_text"]
    assert answer.is_error
    assert (answer.meta or {})["nucleate/error"] == {
        "kind": "BrokenTool",
        "message": "add_twice: its parameters are no usable JSON schema; use another tool",
    }


def test_tools_of_the_same_name_are_told_apart_by_their_environments(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT) as runtime:
        runtime.library.register(version(COUNT, scope="attic"), state=State.ACTIVE, approved_by="test")
        with open_server(runtime, [Office(), Office("attic")]) as server:
            assert ask(server, names) == [*META, "attic__count_notes", "office__count_notes"]


def test_tools_of_an_environment_that_is_not_there_are_not_offered(tmp_path: Path) -> None:
    with opened(tmp_path, COUNT) as runtime:
        runtime.library.register(version(REPEAT, scope="attic"), state=State.ACTIVE, approved_by="test")
        with open_server(runtime, [Office()]) as server:
            assert ask(server, names) == [*META, "count_notes"]
