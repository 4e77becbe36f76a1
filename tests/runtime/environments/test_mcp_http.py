"""MCP servers at an address: the newest protocol, headers by reference, bounded answers, a server that starts again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from nucleate.environments import McpEnvironment, McpServer
from nucleate_sandbox import Effect, EnvironmentUnavailable, FunctionError
from tests.runtime.environments.http_servers import served
from tests.runtime.environments.old_http_server import OldServer


def shop() -> MCPServer:
    server = MCPServer("shop")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def stock(item: str) -> dict[str, int]:
        """Count what is there."""
        return {item: 7}

    @server.tool()
    def take(item: str, count: int) -> int:
        """Take some away."""
        if count > 7:
            raise ToolError(f"only 7 of {item}")
        return 7 - count

    @server.tool()
    def key(context: Context[Any]) -> str:
        """Return the header."""
        return str(dict(context.headers or {}).get("x-key"))

    @server.tool()
    def flood() -> str:
        """Say too much."""
        return "x" * 3_000_000

    return server


def connect(port: int, **more: Any) -> McpEnvironment:
    return McpEnvironment("shop", McpServer(url=f"http://127.0.0.1:{port}/mcp", **more))


@pytest.mark.parametrize("json_response", [True, False], ids=["json", "events"])
def test_tools_at_an_address_are_functions(json_response: bool) -> None:
    with served(shop().streamable_http_app(json_response=json_response)) as port, connect(port) as environment:
        assert [(name, spec.effect) for name, spec in environment.functions.items()] == [
            ("shop.flood", Effect.DESTRUCTIVE),
            ("shop.key", Effect.DESTRUCTIVE),
            ("shop.stock", Effect.READ),
            ("shop.take", Effect.DESTRUCTIVE),
        ]
        assert environment.call("shop.stock", {"item": "pen"}) == {"pen": 7}
        assert environment.call("shop.take", {"item": "pen", "count": 2}) == {"result": 5}
        with pytest.raises(FunctionError, match="only 7 of pen"):
            environment.call("shop.take", {"item": "pen", "count": 9})


def test_a_header_is_a_secret_by_reference(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("open-sesame\n", encoding="utf-8")
    with (
        served(shop().streamable_http_app()) as port,
        connect(port, headers={"x-key": f"file:{file}"}) as environment,
    ):
        assert environment.call("shop.key", {}) == {"result": "[secret]"}  # the server has said what it got


@pytest.mark.parametrize("json_response", [True, False], ids=["json", "events"])
def test_an_answer_beyond_the_bound_is_an_error_of_its_call(json_response: bool) -> None:
    with (
        served(shop().streamable_http_app(json_response=json_response)) as port,
        connect(port, max_bytes=1_000_000) as environment,
    ):
        with pytest.raises(FunctionError) as caught:
            environment.call("shop.flood", {})
        assert caught.value.kind == "ResultTooLarge"
        assert environment.call("shop.stock", {"item": "pen"}) == {"pen": 7}


def test_a_server_that_is_gone_is_an_outage_and_one_that_came_back_is_used_again() -> None:
    with served(shop().streamable_http_app()) as port:
        environment = connect(port)
    try:
        with pytest.raises(EnvironmentUnavailable, match=rf"the MCP server of 'shop' \(http://127.0.0.1:{port}/mcp\)"):
            environment.call("shop.stock", {"item": "pen"})
        with served(shop().streamable_http_app(), port):
            assert environment.call("shop.stock", {"item": "pen"}) == {"pen": 7}
    finally:
        environment.close()


@pytest.mark.parametrize(
    "says", ["Session not found", "Session terminated", "Bad Request: No valid session ID provided"]
)
def test_a_server_that_has_forgotten_the_session_is_asked_again_in_a_new_one(says: str) -> None:
    server = OldServer(says)
    with served(server) as port, connect(port) as environment:
        assert environment.call("shop.echo", {"text": "one"}) == "one"
        server.forget()
        assert environment.call("shop.echo", {"text": "two"}) == "two"
        assert server.calls == 2
