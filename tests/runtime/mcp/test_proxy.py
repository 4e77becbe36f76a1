"""Between an agent and other servers: tools pass unchanged, and an agent that knows of nothing is learned from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, RequestParamsMeta, Tool

from nucleate import Runtime, Settings
from nucleate.environments import McpEnvironment, McpServer
from nucleate.mcp import open_server
from nucleate_sandbox import DockerSandbox
from tests.runtime.mcp.office import MODES, Office, ask, opened

pytestmark = pytest.mark.slow  # each starts a server of its own

SCRIPT = str(Path(__file__).parent / "desk_server.py")
DIRECTLY = StdioServerParameters(command=sys.executable, args=[SCRIPT])
PEOPLE = (
    ("ann", "The lamp flickers"),
    ("bo", "No hot water"),
    ("cy", "Door does not close"),
    ("di", "Radio is mute"),
    ("eva", "Smoke in the kitchen"),
    ("fay", "Window is broken"),
)


@pytest.fixture
def desk() -> Iterator[McpEnvironment]:
    with McpEnvironment("desk", McpServer(command=(sys.executable, SCRIPT))) as environment:
        yield environment


async def listed(client: Client) -> list[Tool]:
    return (await client.list_tools()).tools


async def calls(client: Client) -> list[Any]:
    """Call what goes well and what goes wrong."""
    found = await client.call_tool("find_customer", {"email": "bo@example.org"})
    missing = await client.call_tool("find_customer", {"email": "nobody@example.org"})
    wrong = await client.call_tool("open_ticket", {"customer": "C1"})
    return [(item.is_error, item.structured_content, item.content) for item in (found, missing, wrong)]


def directly(work: Any) -> Any:
    async def session() -> Any:
        async with Client(DIRECTLY) as client:
            return await work(client)

    return anyio.run(session)


@pytest.mark.parametrize("mode", MODES)
def test_tools_and_results_of_another_server_pass_unchanged(mode: str, tmp_path: Path, desk: McpEnvironment) -> None:
    with opened(tmp_path) as runtime, open_server(runtime, [], upstreams=[desk]) as server:
        passed = {tool.name: tool for tool in ask(server, listed, mode=mode)}
        results = ask(server, calls, mode=mode)
    assert [passed[tool.name] for tool in directly(listed)] == directly(listed)
    assert results == directly(calls)


def test_a_name_that_is_taken_here_gets_its_server_before_it(tmp_path: Path, desk: McpEnvironment) -> None:
    other = McpEnvironment("other", McpServer(command=(sys.executable, SCRIPT)))
    with other, opened(tmp_path) as runtime, open_server(runtime, [Office()], upstreams=[desk, other]) as server:
        names = [tool.name for tool in ask(server, listed)]
        found = ask(server, lambda client: client.call_tool("other__find_customer", {"email": "cy@example.org"}))
    assert names[6:12] == [
        f"{server}__{tool}"
        for server in ("desk", "other")
        for tool in ("find_customer", "open_ticket", "notify_customer")
    ]
    assert found.structured_content == {"id": "C3", "email": "cy@example.org"}


def test_a_server_that_is_gone_takes_none_of_the_other_tools_with_it(tmp_path: Path, desk: McpEnvironment) -> None:
    with opened(tmp_path) as runtime, open_server(runtime, [Office()], upstreams=[desk]) as server:
        desk.close()
        names = {tool.name for tool in ask(server, listed)}
        gone = ask(server, lambda client: client.call_tool("find_customer", {"email": "cy@example.org"}))
        there = ask(server, lambda client: client.call_tool("count_notes"))
    assert {"find_customer", "count_notes"} <= names
    assert (gone.meta or {})["nucleate/error"]["kind"] == "Unavailable"
    assert there.structured_content == {"result": 0}


def test_what_a_client_says_beside_a_call_is_the_task(tmp_path: Path, desk: McpEnvironment) -> None:
    async def work(client: Client) -> None:
        for task in ("Find Ann", "Find Bo"):
            email = f"{task.removeprefix('Find ').lower()}@example.org"
            meta = cast("RequestParamsMeta", {"nucleate/task": task})
            await client.call_tool("find_customer", {"email": email}, meta=meta)

    with opened(tmp_path) as runtime:
        with open_server(runtime, [], upstreams=[desk]) as server:
            ask(server, work)
        runs = runtime.memory.trajectories("desk")
    assert [(run.query, [step.function for step in run.steps]) for run in runs] == [
        ("Find Ann", ["desk.find_customer"]),
        ("Find Bo", ["desk.find_customer"]),
    ]


async def a_day_at_the_desk(client: Client, name: str, subject: str) -> None:
    """Do what an agent does that knows of no memory and no tools but the desk's own."""
    customer = (await client.call_tool("find_customer", {"email": f"{name}@example.org"})).structured_content
    ticket = await client.call_tool("open_ticket", {"customer_id": customer["id"], "subject": subject})
    number = ticket.structured_content["number"]
    await client.call_tool("notify_customer", {"customer_id": customer["id"], "ticket_number": number})


@pytest.mark.docker
@pytest.mark.slow
def test_agents_that_know_nothing_of_it_are_learned_from_and_offered_the_tool(
    tmp_path: Path, desk: McpEnvironment, docker_sandbox: DockerSandbox
) -> None:
    settings = Settings(database=str(tmp_path / "n.db"), worker="inline")
    with Runtime(settings=settings, sandbox=docker_sandbox) as runtime:
        for name, subject in PEOPLE:
            with open_server(runtime, [], upstreams=[desk]) as server:
                ask(server, partial(a_day_at_the_desk, name=name, subject=subject))
        runtime.drain()
        queries = [run.query for run in runtime.memory.trajectories("desk")]
        with open_server(runtime, [], upstreams=[desk]) as server:
            (learned,) = ask(server, listed)[9:]
            result = ask(server, lambda client: use(client, learned.name))
    assert queries == [subject for _, subject in PEOPLE]
    assert sorted(learned.input_schema["required"]) == ["email", "subject"]
    assert result.structured_content == {"result": {"result": "C3 knows of 111"}}


async def use(client: Client, name: str) -> CallToolResult:
    return await client.call_tool(name, {"email": "cy@example.org", "subject": "Dark cellar"})
