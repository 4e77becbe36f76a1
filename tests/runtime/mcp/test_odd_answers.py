"""What a server answers oddly is a bad answer at once, or read for what it says; nobody waits for a better one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nucleate.environments import McpEnvironment, McpServer
from nucleate_sandbox import FunctionError, Json

SCRIPT = str(Path(__file__).parent / "odd_answers_server.py")
TOO_DEEP = "the answer is nested deeper than 150 levels"
ANSWERS: dict[str, Json | tuple[str, str]] = {
    "deep": ("InvalidResult", TOO_DEEP),
    "deepest": ("InvalidResult", "the answer cannot be read: RecursionError"),
    "null": ("InvalidResult", "the answer has no result that is an object, but null"),
    "number": ("InvalidResult", "the answer has no result that is an object, but 5"),
    "long_integer": ("InvalidResult", "the answer cannot be read: ValueError"),
    "surrogate": "a\ufffd",
    "no_text": "a\ufffd",
    "error_text": ("ServerError", "shut"),
    "error_bare": ("ServerError", '{"code": "E7"}'),
    "neither": ("InvalidResult", "the answer has no result that is an object, but null"),
    "batch": "ok",
    "cut_off": ("InvalidResult", "the answer cannot be read: JSONDecodeError"),
    "no_schema": "ok",
    "or_null": "ok",
}


@contextmanager
def at(way: str) -> Iterator[McpServer]:
    """Yield how the server is reached: started, or over HTTP in one of its two ways."""
    if way == "started":
        yield McpServer(command=(sys.executable, SCRIPT))
        return
    with subprocess.Popen([sys.executable, SCRIPT, way], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield McpServer(url=f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp")
        process.kill()


def answer(odd: McpEnvironment, name: str) -> Json | tuple[str, str]:
    try:
        return odd.call(f"odd.{name}", {})
    except FunctionError as error:
        said = error.message.removeprefix(f"odd.{name}: ")
        return error.kind, said if "cannot be read" not in said else ":".join(said.split(":")[:2])


@pytest.mark.parametrize("way", ["started", "json", "events"])
def test_an_odd_answer_is_a_bad_answer_or_read_for_what_it_says(way: str) -> None:
    with at(way) as server, McpEnvironment("odd", server) as odd:
        assert {name: answer(odd, name) for name in ANSWERS} == ANSWERS
        assert odd.unusable == {
            "odd.too-deep": "inputSchema: Input should be a valid dictionary or instance of InputSchema"
        }
