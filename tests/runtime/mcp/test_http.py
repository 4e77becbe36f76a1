"""Over HTTP: who may come in, by which name, and what two servers on one database see of each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from nucleate.errors import InputInvalid
from nucleate.mcp import Tokens, read_address, read_tokens
from nucleate.mcp.http import ListenAddress
from tests.runtime.mcp.processes import Serving, listening, stocked
from tests.runtime.mcp.test_wire import HELLO

ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Serving]]:
    database = stocked(tmp_path_factory.mktemp("office"))
    with listening(database) as one, listening(database) as two:
        yield one, two


def status(server: Serving, **headers: str) -> int:
    """Return the status with which a handshake is answered."""
    return httpx2.post(server.url, json=HELLO, headers={**ACCEPT, **headers}, timeout=60).status_code


def test_without_the_token_nobody_comes_in(servers: tuple[Serving, Serving]) -> None:
    one, two = servers
    right = {"Authorization": f"Bearer {one.token}"}
    wrong = {"Authorization": f"Bearer {two.token}"}
    assert [status(one, **headers) for headers in (right, {}, wrong, {"Authorization": "Basic abc"})] == [
        200,
        401,
        401,
        401,
    ]


@pytest.mark.parametrize(
    ("headers", "answer"),
    [({"Host": "evil.example"}, 421), ({"Origin": "https://evil.example"}, 403), ({"Origin": "http://localhost"}, 200)],
    ids=["host", "origin", "own"],
)
def test_a_page_elsewhere_cannot_reach_it_by_another_name(
    servers: tuple[Serving, Serving], headers: dict[str, str], answer: int
) -> None:
    assert status(servers[0], Authorization=f"Bearer {servers[0].token}", **headers) == answer


def test_a_body_that_is_too_large_or_no_json_is_refused(servers: tuple[Serving, Serving]) -> None:
    headers = {**ACCEPT, "Authorization": f"Bearer {servers[0].token}", "Content-Type": "application/json"}
    codes = [
        httpx2.post(servers[0].url, content=content, headers=headers, timeout=60).status_code
        for content in (b"{" * 100, b"x" * (5 << 20))
    ]
    assert codes == [400, 413]


def test_two_servers_on_one_database_serve_and_learn_side_by_side(servers: tuple[Serving, Serving]) -> None:
    async def work(client: Client, task: str) -> Any:
        await client.call_tool("add_twice", {"text": task})
        return (await client.call_tool("report_outcome", {"task": task, "success": True})).structured_content

    async def both() -> list[Any]:
        answers: list[Any] = []

        async def one_of(server: Serving, number: int) -> None:
            async with server.client("auto" if number % 3 else "legacy", name=f"agent-{number}") as client:
                answers.append(await work(client, f"note {number}"))

        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(one_of, servers[number % 2], number)
        return answers

    assert anyio.run(both) == [{"recorded": 1}] * 6


def test_an_address_is_read_in_each_of_its_forms() -> None:
    assert [read_address(text).url for text in ("8765", ":8765", "0.0.0.0:80", "[::1]:80")] == [
        "http://127.0.0.1:8765/mcp",
        "http://127.0.0.1:8765/mcp",
        "http://0.0.0.0:80/mcp",
        "http://[::1]:80/mcp",
    ]


@pytest.mark.parametrize("text", ["", "localhost", "host:port", "host:70000"])
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(InputInvalid, match="no HOST:PORT"):
        read_address(text)


def test_tokens_come_from_a_file_or_are_new(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# ours\nfirst-token-of-ours\n\nsecond-token-of-ours\n", encoding="utf-8")
    assert read_tokens(file, None) == (["first-token-of-ours", "second-token-of-ours"], False)
    assert read_tokens(None, "given-in-the-settings") == (["given-in-the-settings"], False)
    tokens, new = read_tokens(None, None)
    assert (new, len(tokens[0]) >= 32) == (True, True)


def test_a_token_that_can_be_guessed_or_a_file_without_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="a token of 6 characters can be guessed"):
        Tokens(["secret"])
    (tmp_path / "empty").write_text("# none\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match="holds no token"):
        read_tokens(tmp_path / "empty", None)
    with pytest.raises(InputInvalid, match="cannot be read: No such file"):
        read_tokens(tmp_path / "missing", None)


def test_each_token_is_a_client_of_its_own() -> None:
    tokens = Tokens(["first-token-of-ours", "second-token-of-ours"])
    found = [anyio.run(tokens.verify_token, token) for token in ("second-token-of-ours", "a-third-that-is-not")]
    assert [item and item.client_id for item in found] == ["token-2", None]


def test_the_endpoint_stands_in_its_address() -> None:
    assert ListenAddress(host="127.0.0.1", port=1).url == "http://127.0.0.1:1/mcp"
