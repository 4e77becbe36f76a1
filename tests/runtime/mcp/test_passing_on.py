"""What another server lists and answers reaches the client word for word, whatever of it can be learned from."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from nucleate.environments import McpEnvironment, McpServer
from nucleate.mcp import open_server
from nucleate_text_memory import Step, StepError
from tests.runtime.mcp import odd_server
from tests.runtime.mcp.office import COUNT, MODES, Office, ask, opened

SCRIPT = str(Path(__file__).parent / "odd_server.py")
READABLE = [item for item in odd_server.TOOLS if item["name"] != "unreadable"]


@pytest.fixture
def odd() -> Iterator[McpEnvironment]:
    with McpEnvironment("odd", McpServer(command=(sys.executable, SCRIPT))) as environment:
        yield environment


def plain(value: Any) -> Any:
    """Return what was said on the wire, but for the name of this server, which the newer protocol adds."""
    said = value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    said.get("_meta", {}).pop("io.modelcontextprotocol/serverInfo", None)
    return said


async def conversation(client: Client) -> tuple[Any, Any, Any]:
    """List, call what answers, and call what breaks."""
    tools = [plain(tool) for tool in (await client.list_tools()).tools]
    answers = [
        plain(await client.call_tool(name, arguments))
        for name, arguments in (
            ("letters", {"slug": "Ähre"}),
            ("Get-Order.v2", {"repo-path": "a", "from": "b"}),
            ("picture", {}),
            ("rows", {}),
            ("refuse", {}),
        )
    ]
    try:
        await client.call_tool("break", {})
    except MCPError as error:
        return tools, answers, (error.code, error.message, error.data)
    raise AssertionError("it did not break")


def test_every_tool_and_every_answer_passes_word_for_word(
    tmp_path: Path, odd: McpEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path) as runtime:
        with caplog.at_level(logging.WARNING), open_server(runtime, [], upstreams=[odd]) as server:
            tools, answers, error = ask(server, conversation)
        (run,) = runtime.memory.trajectories("odd")
    passed = [tool for tool in tools if tool["name"] in {item["name"] for item in READABLE}]
    assert passed == READABLE
    text = [{"type": "text", "text": '["letters", {"slug": "\\u00c4hre"}]'}]
    assert answers[0]["content"] == text
    assert answers[1]["content"][0]["text"] == '["Get-Order.v2", {"repo-path": "a", "from": "b"}]'
    wanted = [odd_server.ANSWERS[name] for name in ("picture", "rows", "refuse")]
    assert [{key: given.get(key) for key in said} for given, said in zip(answers[2:], wanted, strict=True)] == wanted
    assert error == tuple(odd_server.ERROR.values())
    assert [line for line in caplog.messages if "tool" in line] == [
        f"the tool 'unreadable' of 'odd' is left out, since no client could read it: {odd.unusable['odd.unreadable']}",
    ]
    assert run.steps[1].arguments == {"repo_path": "a", "from_": "b"}
    assert [step.function for step in run.steps] == [
        "odd.letters",
        "odd.Get_Order_v2",
        "odd.picture",
        "odd.rows",
        "odd.refuse",
        "odd.break_",
    ]
    assert run.steps[-1] == Step(
        function="odd.break_",
        arguments={},
        error=StepError(kind="ServerError", message="break: the till is shut"),
    )


@pytest.mark.parametrize("mode", MODES)
def test_resources_and_prompts_of_the_server_pass_word_for_word(mode: str, tmp_path: Path, odd: McpEnvironment) -> None:
    async def look(client: Client) -> Any:
        with pytest.raises(MCPError, match="there is no resource 'till://receipt/7'"):
            await client.read_resource("till://receipt/7")
        with pytest.raises(MCPError, match="there is no prompt 'shout'"):
            await client.get_prompt("shout")
        return [
            plain((await client.list_resources()).resources[-1]),
            plain((await client.list_resource_templates()).resource_templates[-1]),
            plain((await client.read_resource("till://manual")).contents[0]),
            plain((await client.list_prompts()).prompts[0]),
            (await client.get_prompt("greet", {"whom": "Ada"})).messages[0].content.text,  # type: ignore[union-attr]
        ]

    with opened(tmp_path, COUNT) as runtime, open_server(runtime, [Office()], upstreams=[odd]) as server:
        found = ask(server, look, mode=mode)
    wanted = (odd_server.MANUAL, odd_server.TEMPLATE, odd_server.PAGE, odd_server.GREET, "Greet Ada.")
    assert found == list(wanted)


def test_a_call_that_the_client_gives_up_is_given_up_at_the_server(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def work(client: Client) -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "hang", {})
            assert await anyio.to_thread.run_sync(pipe.read_text) == "it hangs"
            group.cancel_scope.cancel()
        return (await client.call_tool("cancelled", {})).content[0]

    odd = McpEnvironment("odd", McpServer(command=(sys.executable, SCRIPT, str(pipe))))
    with odd, opened(tmp_path) as runtime, open_server(runtime, [], upstreams=[odd]) as server:
        assert ask(server, work).text == "notifications/cancelled"
