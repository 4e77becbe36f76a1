"""Puts a server together: a runtime, the environments that its tools are called in, and what clients may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mcp.server.lowlevel import Server

from nucleate.manager.index import ToolIndex
from nucleate.mcp.catalogue import Shelf
from nucleate.mcp.direct import Direct
from nucleate.mcp.gate import ClientLimits
from nucleate.mcp.server import make_server
from nucleate.mcp.service import Service
from nucleate.mcp.tasks import QUIET_SECONDS, Tasks
from nucleate.runtime import Runtime
from nucleate.underway import Watched
from nucleate_sandbox import Environment
from nucleate_text_memory import LocalEmbedder
from nucleate_tool_library import State, Tool


@dataclass(frozen=True, kw_only=True)
class Serving:
    """How much is listed, what a client may do at once, and after how many quiet seconds its task has ended."""

    direct: int = 8
    limits: ClientLimits = field(default_factory=ClientLimits)
    quiet: float = QUIET_SECONDS


DEFAULT = Serving()


@contextmanager
def open_server(
    runtime: Runtime, environments: Sequence[Environment], *, serving: Serving = DEFAULT
) -> Iterator[Server[None]]:
    """Yield a server; tasks that are open when the block is left end with it."""
    watched = [Watched(environment) for environment in environments]
    shelf = Shelf(runtime.library, watched, read=lambda: callable_tools(runtime), index=ToolIndex(LocalEmbedder()))
    tasks = Tasks(runtime.learn, quiet=serving.quiet)
    service = Service(runtime, shelf, tasks, direct=Direct(most=serving.direct))
    try:
        yield make_server(service, limits=serving.limits, sweep=tasks.sweep)
    finally:
        tasks.close()


def callable_tools(runtime: Runtime) -> tuple[Tool, ...]:
    """Return the tools that clients may call."""
    provisional = (State.CANDIDATE,) if runtime.settings.allow_provisional else ()
    return runtime.library.tools(states=(State.ACTIVE, *provisional))
