"""What MCP costs: a call of `call_tool` over standard input and output against the same call in the sandbox."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from mcp import Client

from evals.library.desk import ARGUMENTS, Desk, tool
from evals.library.part import Measured
from evals.library.serving import on_stdio, stocked
from evals.sandbox.result import Target
from evals.sandbox.timing import Times
from nucleate.versions import module_of
from nucleate_codifier import AdmissionPolicy
from nucleate_sandbox import DockerSandbox, Functions

WARM = 20


def options(parser: argparse.ArgumentParser) -> None:
    """Add the option of this part."""
    parser.add_argument("--calls", type=int, default=200, help="calls of each kind in the round trip")


def measure(chosen: argparse.Namespace) -> Measured:
    """Call in turns: directly, and through each version of the protocol."""
    direct, handshake, modern = anyio.run(_measured, chosen.calls)
    overhead = max(times.median - direct.median for times in (handshake, modern))
    return Measured(
        title="One call, ms (median, p95)",
        lines=[(times.name, f"{times.median:.2f} {times.p95:.2f}") for times in (direct, handshake, modern)],
        figures={"mcp_overhead_ms": round(overhead, 3)},
        rows=[
            {"system": times.name, "median_ms": round(times.median, 3), "p95_ms": round(times.p95, 3)}
            for times in (direct, handshake, modern)
        ],
        targets=[Target(name="call_tool over a direct call", measured=overhead, bound=3, at_least=False, unit="ms")],
        bars={times.name: round(times.median, 2) for times in (direct, handshake, modern)},
    )


async def _measured(calls: int) -> tuple[Times, Times, Times]:
    with tempfile.TemporaryDirectory() as folder, DockerSandbox() as sandbox:
        server = on_stdio(stocked(Path(folder)))
        async with Client(server, mode="legacy") as handshake, Client(server) as modern:
            names = ("sandbox, directly", "MCP 2025-11-25, stdio", "MCP 2026-07-28, stdio")
            ways = (_direct(sandbox), _asked(handshake), _asked(modern))
            taken: list[list[float]] = [[], [], []]
            for turn in range(WARM + calls):
                for way, times in zip(ways, taken, strict=True):
                    began = time.perf_counter()
                    await way()
                    if turn >= WARM:
                        times.append((time.perf_counter() - began) * 1000)
    direct, first, second = (
        Times(name=name, milliseconds=tuple(times)) for name, times in zip(names, taken, strict=True)
    )
    return direct, first, second


def _direct(sandbox: DockerSandbox) -> Callable[[], Awaitable[None]]:
    version = tool()
    module = module_of([version], AdmissionPolicy())
    functions = Functions.only(Desk(), version.capabilities)

    async def call() -> None:
        with sandbox.open(functions=functions) as session:
            assert session.call(module, version.name, ARGUMENTS).value == 6.0

    return call


def _asked(client: Client) -> Callable[[], Awaitable[None]]:
    async def call() -> None:
        result = await client.call_tool("call_tool", {"name": "total_price", "arguments": ARGUMENTS})
        assert result.structured_content == {"result": 6.0}, result

    return call
