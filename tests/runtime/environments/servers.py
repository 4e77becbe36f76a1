"""Connections to the small server, for tests."""

from __future__ import annotations

import sys
from pathlib import Path

from nucleate.environments import McpEnvironment, McpServer

SERVER = Path(__file__).with_name("raw_server.py")
PATIENCE = 60.0  # seconds after which a call of a test has failed; none waits that long


def raw_server(
    fault: str = "", *, seconds: float = PATIENCE, starts: Path | None = None, **variables: str
) -> McpServer:
    """Return how the small server is started."""
    counted = {"STARTS": str(starts)} if starts else {}
    return McpServer(command=(sys.executable, str(SERVER), fault), variables={**counted, **variables}, seconds=seconds)


def connect(fault: str = "", *, seconds: float = PATIENCE, starts: Path | None = None) -> McpEnvironment:
    """Return an environment of the small server's tools, by the name `raw`."""
    return McpEnvironment("raw", raw_server(fault, seconds=seconds, starts=starts))
