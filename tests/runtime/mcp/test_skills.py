"""Skills over MCP: a page for every tool that is served, found by its address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from nucleate.mcp import open_server
from tests.runtime.mcp.office import ADD_TWICE, COUNT, MODES, Office, ask, in_office, opened, version


async def skills(client: Client) -> list[str]:
    return [resource.uri for resource in (await client.list_resources()).resources]


async def page(client: Client) -> Any:
    return (await client.read_resource("skill://add-twice/SKILL.md")).contents[0]


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_is_a_skill(mode: str, tmp_path: Path) -> None:
    found = in_office(tmp_path, skills, COUNT, ADD_TWICE, mode=mode)
    assert found == ["skill://add-twice/SKILL.md", "skill://count-notes/SKILL.md"]


@pytest.mark.parametrize("mode", MODES)
def test_a_skill_says_what_the_tool_does_and_how_it_is_called(mode: str, tmp_path: Path) -> None:
    found = in_office(tmp_path, page, ADD_TWICE, mode=mode)
    assert found.mime_type == "text/markdown"
    assert found.text.startswith("---\nname: add-twice\n")
    assert "Add a note two times and return all notes." in found.text
    assert "call_tool" in found.text


def test_a_skill_that_is_not_there_is_answered_with_the_nearest(tmp_path: Path) -> None:
    async def read(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("skill://add_twice/SKILL.md")
        return caught.value.message

    assert in_office(tmp_path, read, ADD_TWICE) == (
        "there is no resource 'skill://add_twice/SKILL.md'; did you mean skill://add-twice/SKILL.md?"
    )


def test_the_address_of_a_skill_is_told_as_a_template(tmp_path: Path) -> None:
    async def templates(client: Client) -> list[str]:
        return [item.uri_template for item in (await client.list_resource_templates()).resource_templates]

    assert in_office(tmp_path, templates, COUNT) == ["skill://{name}/SKILL.md"]


def test_many_skills_come_in_pages(tmp_path: Path) -> None:
    async def walk(client: Client) -> list[int]:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        return [len(first.resources), len(second.resources), 0 if second.next_cursor is None else 1]

    with opened(tmp_path, COUNT) as runtime:
        for number in range(104):
            source = COUNT.replace("count_notes", f"count_{number}")
            runtime.library.register(version(source), state=runtime.callable_states[0], approved_by="test")
        with open_server(runtime, [Office()]) as server:
            assert ask(server, walk) == [100, 5, 0]
