"""`nucleate serve` as a process, for clients that are no part of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from tests.runtime.mcp.office import ADD_TWICE, COUNT, FAIL, REPEAT, opened

ROOT = Path(__file__).resolve().parents[3]
SPIN = '''
    def spin(text: str) -> int:
        """Add notes without end."""
        while True:
            env.notes.add(text=text)
'''
MAIN = "from nucleate.cli import main; main()"
OFFICE = ("--environment", "tests.runtime.mcp.office_program:office")


def stocked(folder: Path) -> Path:
    """Make a database whose library holds the office's tools."""
    with opened(folder, COUNT, ADD_TWICE, FAIL, REPEAT, SPIN):
        return folder / "n.db"


def command(database: Path, *options: str) -> list[str]:
    """Return the words that start a server with the embedded sandbox."""
    return [sys.executable, "-c", MAIN, "--database", str(database), "--sandbox", "monty", "serve", *options]


def stdio(database: Path, *options: str) -> StdioServerParameters:
    """Return how a client starts a server of its own."""
    first, *rest = command(database, *(options or OFFICE))
    return StdioServerParameters(command=first, args=rest, env=dict(os.environ), cwd=str(ROOT))


@dataclass(frozen=True, kw_only=True)
class Serving:
    """A server that listens, and the token that it printed."""

    url: str
    token: str

    @asynccontextmanager
    async def client(self, mode: str, *, name: str = "mcp") -> AsyncIterator[Client]:
        """Connect a client of this name, that bears the token."""
        headers, known = {"Authorization": f"Bearer {self.token}"}, Implementation(name=name, version="1")
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode, client_info=known) as client,
        ):
            yield client


@contextmanager
def listening(database: Path, *options: str) -> Iterator[Serving]:
    """Start a server over HTTP, and end it with the block."""
    words = command(database, "--http", "127.0.0.1:0", *(options or OFFICE))
    process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        url, token = _said(process, r"serving at (\S+)"), _said(process, r"bearer token: (\S+)")
        yield Serving(url=url, token=token)
    finally:
        process.terminate()
        process.wait(30)
        if process.stderr is not None:
            process.stderr.close()


def _said(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"the server ended without saying {pattern!r}")
