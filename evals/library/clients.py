"""Many clients at once over HTTP, half of them in each version of the protocol: errors, and how long calls take."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from evals.library.desk import ARGUMENTS
from evals.library.part import Measured
from evals.library.serving import Listening, on_http, stocked
from evals.sandbox.result import Target
from evals.sandbox.timing import Times

MODES = ("legacy", "auto")


class Tally:
    """What the clients saw."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self.errors: Counter[str] = Counter()


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this part."""
    parser.add_argument("--clients", type=int, default=50, help="how many clients call at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="for how long they call")


def measure(chosen: argparse.Namespace) -> Measured:
    """Let the clients call one after the other call, each without a pause."""
    with tempfile.TemporaryDirectory() as folder, on_http(stocked(Path(folder))) as server:
        tally = anyio.run(_crowd, server, chosen.clients, chosen.seconds)
    times = Times(name=f"{chosen.clients} clients at once", milliseconds=tuple(tally.milliseconds))
    errors, rate = sum(tally.errors.values()), len(tally.milliseconds) / chosen.seconds
    return Measured(
        title=f"{chosen.clients} clients for {chosen.seconds:g} s",
        lines=[
            ("calls", len(tally.milliseconds)),
            ("calls a second", f"{rate:.0f}"),
            ("median, p95 ms", f"{times.median:.0f} {times.p95:.0f}"),
            ("errors", dict(tally.errors) or 0),
        ],
        figures={
            "clients": chosen.clients,
            "errors": errors,
            "p95_ms": round(times.p95, 1),
            "client_calls_per_second": round(rate, 1),
        },
        rows=[{"error": kind, "times": count} for kind, count in tally.errors.items()],
        targets=[Target(name=f"errors of {chosen.clients} clients", measured=errors, bound=0, at_least=False)],
    )


async def _crowd(server: Listening, clients: int, seconds: float) -> Tally:
    tally, ready, start = Tally(), [anyio.Event() for _ in range(clients)], anyio.Event()
    async with anyio.create_task_group() as group:
        for number in range(clients):
            group.start_soon(_work, server, number, ready[number], start, seconds, tally)
        for event in ready:
            await event.wait()
        start.set()
    return tally


async def _work(
    server: Listening, number: int, ready: anyio.Event, start: anyio.Event, seconds: float, tally: Tally
) -> None:
    known = Implementation(name=f"client-{number}", version="1")
    headers = {"Authorization": f"Bearer {server.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(
            streamable_http_client(server.url, http_client=http), mode=MODES[number % 2], client_info=known
        ) as client,
    ):
        await _call(client, Tally())  # what only the first call pays for is not counted
        ready.set()
        await start.wait()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await _call(client, tally)


async def _call(client: Client, tally: Tally) -> None:
    began = time.perf_counter()
    result = await client.call_tool("call_tool", {"name": "total_price", "arguments": ARGUMENTS})
    tally.milliseconds.append((time.perf_counter() - began) * 1000)
    if result.structured_content != {"result": 6.0}:
        tally.errors[str(result.structured_content)[:200]] += 1
