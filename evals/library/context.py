"""What a listing costs an agent's context: ours, whatever the library's size, against listing every tool."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import anyio
from mcp import Client
from mcp_types import Tool

from evals.library.desk import Desk
from evals.library.part import Measured
from evals.library.tools import SCOPE, library
from evals.sandbox.result import Target
from nucleate import Runtime, Settings
from nucleate.mcp import open_server
from nucleate.mcp.listing import listed
from nucleate_sandbox import Json, JsonObject, canonical
from nucleate_text_memory.retrieval.words import estimate_tokens
from nucleate_tool_library import State

SIZES = (10, 100, 1_000)


def options(_parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def measure(_chosen: argparse.Namespace) -> Measured:
    """Ask a server with so many tools for its list, and count its tokens as a client shows it to a model."""
    rows = [_row(size) for size in SIZES]
    last = rows[-1]
    figures: dict[str, Json] = {
        "listing_tokens_1000": last["listing_tokens"],
        "full_listing_tokens_1000": last["full_listing_tokens"],
    }
    ratio = float(str(last["full_listing_tokens"])) / float(str(last["listing_tokens"]))
    return Measured(
        title="Tokens of a listing",
        lines=[(f"{row['tools']} tools: ours, every tool", _said(row)) for row in rows],
        figures=figures,
        rows=rows,
        targets=[Target(name="listing every tool against ours, 1,000 tools", measured=ratio, bound=10, at_least=True)],
    )


def _said(row: JsonObject) -> str:
    return f"{row['listing_tokens']} {row['full_listing_tokens']} (a search: {row['search_tokens']})"


def _row(size: int) -> JsonObject:
    versions = library(size)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=str(Path(folder) / "n.db"), worker="off", sandbox="monty")
        with Runtime(settings=settings) as runtime:
            for version in versions:
                runtime.library.register(version, state=State.ACTIVE, approved_by="evaluation")
            tools, search = _asked(runtime)
    every = [listed(version.name, version, {}) for version in versions]
    return {
        "tools": size,
        "listing_tokens": _tokens(tools),
        "full_listing_tokens": _tokens(every),
        "search_tokens": estimate_tokens(search),
    }


def _asked(runtime: Runtime) -> tuple[list[Tool], str]:
    async def session() -> tuple[list[Tool], str]:
        with open_server(runtime, [Desk(SCOPE)]) as server:
            async with Client(server) as client:
                found = await client.call_tool("search_tools", {"query": "send back what was delivered"})
                return (await client.list_tools()).tools, canonical(found.structured_content)

    return anyio.run(session)


def _tokens(tools: list[Tool]) -> int:
    """Count what models are shown: names, descriptions and parameters."""
    shown: list[Json] = [
        {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema} for tool in tools
    ]
    return estimate_tokens(canonical(shown))
