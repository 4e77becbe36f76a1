"""`nucleate serve` as a process with one tool, and the same call made in the sandbox directly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcp.client.stdio import StdioServerParameters

from evals.library.desk import tool
from evals.report import ROOT
from nucleate import Runtime, Settings
from nucleate_tool_library import State

MAIN = "from nucleate.cli import main; main()"
ENVIRONMENT = ("--environment", "evals.library.desk:desk")


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Where a server listens, and the token that opens it."""

    url: str
    token: str


def stocked(folder: Path) -> Path:
    """Make a database that holds the tool."""
    database = folder / "n.db"
    with Runtime(settings=Settings(database=str(database), worker="off")) as runtime:
        runtime.library.register(tool(), state=State.ACTIVE, approved_by="evaluation")
    return database


def on_stdio(database: Path) -> StdioServerParameters:
    """Return how a client starts the server."""
    first, *rest = _words(database)
    return StdioServerParameters(command=first, args=rest, env=dict(os.environ), cwd=str(ROOT))


@contextmanager
def on_http(database: Path) -> Iterator[Listening]:
    """Start the server over HTTP, and end it with the block."""
    words = _words(database, "--http", "127.0.0.1:0", "--running", "64", "--waiting", "1000", "--a-minute", "1000000")
    process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield Listening(url=_said(process, r"serving at (\S+)"), token=_said(process, r"bearer token: (\S+)"))
    finally:
        process.terminate()
        process.wait(30)
        if process.stderr is not None:
            process.stderr.close()


def _words(database: Path, *options: str) -> list[str]:
    return [sys.executable, "-c", MAIN, "--database", str(database), "serve", *ENVIRONMENT, *options]


def _said(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise RuntimeError(f"the server ended without saying {pattern!r}")
