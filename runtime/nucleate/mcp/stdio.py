"""Serving over standard input and output, on which nothing but protocol may pass, whoever prints."""

from __future__ import annotations

import fcntl
import os
import sys
from dataclasses import dataclass
from io import TextIOWrapper

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FIRST_OTHER = 3  # below are the standard streams


@dataclass(frozen=True, kw_only=True)
class StdioWire:
    """The client's end of the process: what used to be standard input and output."""

    reads: TextIOWrapper
    writes: TextIOWrapper


def claim_wire() -> StdioWire:
    """Take standard input and output away from everybody else: prints go to standard error, reads find nothing.

    To be done before anything is imported that might print. A child process inherits what is left.
    """
    sys.stdout.flush()
    reads, writes = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST_OTHER) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # closefd=False: a thread may still read from it when the process ends.
    return StdioWire(
        reads=open(reads, encoding="utf-8", errors="replace", closefd=False),
        writes=open(writes, "w", encoding="utf-8", newline="\n", closefd=False),
    )


async def serve_stdio(server: Server[None], wire: StdioWire) -> None:
    """Serve the one client until it closes its end."""
    streams = stdio_server(anyio.wrap_file(wire.reads), anyio.wrap_file(wire.writes))
    async with streams as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())
