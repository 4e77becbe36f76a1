"""A public MCP server from PyPI, installed by the test, as the environment: learned from, and served to another client."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest
import uv
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult

from nucleate import Runtime, Settings
from nucleate.environments.connections import McpConnection
from nucleate_sandbox import Effect
from nucleate_tool_library import State, Tool

SERVER = "mcp-server-git"
TASKS = (
    ("shop", "prices", "prices.txt", "Raise the prices"),
    ("desk", "rota", "rota.md", "Plan the rota for May"),
    ("lab", "assay", "results.csv", "Add the results of assay 7"),
    ("store", "stock", "stock.txt", "Count the stock"),
    ("kitchen", "menu", "menu.txt", "Put soup on the menu"),
)


@pytest.fixture(scope="module")
def git_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the server into an environment of its own; skip where no package registry can be reached."""
    folder = tmp_path_factory.mktemp("server") / "venv"
    for words in (["venv", "--python", sys.executable, folder], ["pip", "install", "--python", folder, SERVER]):
        ended = subprocess.run([uv.find_uv_bin(), *map(str, words)], capture_output=True, text=True)
        if ended.returncode:
            pytest.skip(f"{SERVER} cannot be installed: {ended.stderr.strip()[-300:]}")
    return folder / "bin" / SERVER


def repository(folder: Path, file: str) -> Path:
    folder.mkdir()
    for words in (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "Test"],
        ["config", "user.email", "test@example.com"],
        ["commit", "-q", "--allow-empty", "-m", "begin"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    (folder / file).write_text("content\n", encoding="utf-8")
    return folder


def log(folder: Path, branch: str) -> list[str]:
    words = ["git", "log", "--format=%s", branch]
    return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()


def learn(database: Path, server: Path, folder: Path) -> Tool:
    """Do the tasks by hand through the server, and return the one tool that comes of it."""
    with Runtime(settings=Settings(database=str(database), worker="inline", codifier="trace")) as runtime:
        runtime.known.add("git", McpConnection(command=(str(server),)))
        git = runtime.known.open("git")
        assert {
            name: spec.effect for name, spec in git.functions.items() if name.endswith(("log", "add", "reset"))
        } == {
            "git.git_add": Effect.WRITE,
            "git.git_log": Effect.READ,
            "git.git_reset": Effect.DESTRUCTIVE,
        }
        for name, branch, file, message in TASKS:
            path = str(repository(folder / name, file))
            with runtime.record(f"In {path} commit {file} on a new branch {branch} as {message!r}", git) as run:
                run.call("git.git_create_branch", {"repo_path": path, "branch_name": branch})
                run.call("git.git_checkout", {"repo_path": path, "branch_name": branch})
                run.call("git.git_add", {"repo_path": path, "files": [file]})
                run.call("git.git_commit", {"repo_path": path, "message": message})
                run.finish(success=True)
        (tool,) = runtime.library.tools(scope="git")
        return tool


async def call_by_another_client(database: Path, name: str, arguments: Mapping[str, object]) -> CallToolResult:
    """Call a tool through `nucleate serve`, as any MCP client does."""
    nucleate = Path(sys.executable).with_name("nucleate")
    words = ["--database", str(database), "serve", "--environment", "git"]
    async with Client(StdioServerParameters(command=str(nucleate), args=words)) as client:
        assert name in {tool.name for tool in (await client.list_tools()).tools}
        return await client.call_tool(name, dict(arguments))


@pytest.mark.docker
@pytest.mark.slow
def test_a_tool_is_learned_from_a_public_server_and_called_by_another_client(git_server: Path, tmp_path: Path) -> None:
    database = tmp_path / "git.db"
    tool = learn(database, git_server, tmp_path)
    assert (tool.state, tool.version.capabilities) == (
        State.ACTIVE,
        ("git.git_add", "git.git_checkout", "git.git_commit", "git.git_create_branch"),
    )
    fresh = repository(tmp_path / "fresh", "a.txt")
    arguments = {"repo_path": str(fresh), "branch_name": "spring", "files": ["a.txt"], "message": "Plant a tree"}
    result = anyio.run(call_by_another_client, database, tool.name, arguments)
    assert not result.is_error
    assert log(fresh, "spring") == ["Plant a tree", "begin"]
    assert log(fresh, "main") == ["begin"]
