"""Real clients of a real process: over both transports, in both versions of the protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.runtime.mcp.office import MODES
from tests.runtime.mcp.processes import Serving, listening, stdio, stocked

pytestmark = pytest.mark.slow  # each starts a server of its own

VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
TOOLS = [
    "search_tools",
    "describe_tool",
    "call_tool",
    "recall",
    "report_outcome",
    "add_twice",
    "count_notes",
    "fail_always",
    "repeat_text",
    "spin",
]
Work = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stocked(tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Serving]:
    with listening(database) as serving:
        yield serving


@pytest.fixture(params=["stdio", "http"])
def talk(request: pytest.FixtureRequest, database: Path) -> Callable[[Work, str], Any]:
    """Return what connects a client by one transport after the other."""
    serving = None if request.param == "stdio" else request.getfixturevalue("server")

    def run(work: Work, mode: str) -> Any:
        async def session() -> Any:
            connecting = Client(stdio(database), mode=mode) if serving is None else serving.client(mode)
            async with connecting as client:
                return client.protocol_version, await work(client)

        return anyio.run(session)

    return run


async def a_working_day(client: Client) -> dict[str, Any]:
    """List, search, describe, call in both ways, err, and report."""
    found = (await client.call_tool("search_tools", {"query": "count the notes", "limit": 1})).structured_content
    name = found["tools"][0]["name"]
    described = (await client.call_tool("describe_tool", {"name": name})).structured_content
    twice = await client.call_tool("add_twice", {"text": "tea"})
    counted = await client.call_tool("call_tool", {"name": name})
    wrong = await client.call_tool("call_tool", {"name": "add_twice", "arguments": {"texts": "tea"}})
    report = await client.call_tool("report_outcome", {"task": "Note that we need tea", "success": True})
    return {
        "listed": [tool.name for tool in (await client.list_tools()).tools],
        "found": name,
        "signature": described["tool"]["signature"],
        "twice": twice.structured_content["result"][-2:],
        "counted": counted.structured_content["result"] >= 2,
        "wrong": (wrong.meta or {})["nucleate/error"]["kind"],
        "report": report.structured_content,
    }


@pytest.mark.parametrize("mode", MODES)
def test_a_client_lists_searches_describes_calls_and_reports(talk: Callable[[Work, str], Any], mode: str) -> None:
    version, day = talk(a_working_day, mode)
    assert version == VERSIONS[mode]
    assert day == {
        "listed": TOOLS,
        "found": "count_notes",
        "signature": "def count_notes() -> int",
        "twice": ["tea", "tea"],
        "counted": True,
        "wrong": "InvalidArguments",
        "report": {"recorded": 2},
    }


async def give_up(client: Client) -> tuple[list[str], Any]:
    """Start an endless call, give it up at its third word, and call something else."""
    said: list[str] = []
    async with anyio.create_task_group() as group:

        async def told(progress: float, total: float | None, message: str | None) -> None:
            said.append(message or "")
            if len(said) == 3:
                group.cancel_scope.cancel()

        await client.call_tool("spin", {"text": "again"}, progress_callback=told)
    after = await client.call_tool("repeat_text", {"text": "on", "times": 2})
    return said[:3], after.structured_content


@pytest.mark.parametrize("mode", MODES)
def test_a_long_call_tells_its_progress_and_can_be_cancelled(talk: Callable[[Work, str], Any], mode: str) -> None:
    _, (said, after) = talk(give_up, mode)
    assert said == [f"environment call {number}: notes.add" for number in (1, 2, 3)]
    assert after == {"result": "onon"}


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_method_is_an_error_of_the_protocol(talk: Callable[[Work, str], Any], mode: str) -> None:
    async def prompts(client: Client) -> int:
        with pytest.raises(MCPError) as caught:
            await client.list_prompts()
        return caught.value.code

    assert talk(prompts, mode)[1] == -32601
