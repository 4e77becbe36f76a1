"""Puts a server together: a runtime, the environments that its tools are called in, and what clients may do."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mcp.server.lowlevel import Server

from nucleate.environments.calls_under_way import WatchedEnvironment
from nucleate.environments.mcp.mcp_environment import McpEnvironment
from nucleate.mcp.catalogue import CatalogueReader
from nucleate.mcp.client_tasks import QUIET_SECONDS, Tasks
from nucleate.mcp.counter import Counter
from nucleate.mcp.direct import Direct
from nucleate.mcp.gate import ClientLimits
from nucleate.mcp.joined_environments import joined
from nucleate.mcp.passed_on import PassedOn
from nucleate.mcp.proxy import ServerProxy
from nucleate.mcp.server import make_server
from nucleate.mcp.service import Service
from nucleate.mcp.skills import Skills
from nucleate.runtime import Runtime
from nucleate_sandbox import Environment

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ServingBounds:
    """How much is listed, what a client may do at once, and after how many quiet seconds its task has ended."""

    direct: int = 8
    limits: ClientLimits = field(default_factory=ClientLimits)
    quiet: float = QUIET_SECONDS


DEFAULT = ServingBounds()


@contextmanager
def open_server(
    runtime: Runtime,
    environments: Sequence[Environment],
    *,
    upstreams: Sequence[McpEnvironment] = (),
    serving: ServingBounds = DEFAULT,
) -> Iterator[Server[None]]:
    """Yield a server; tasks that are open when the block is left end with it.

    What is done with all other servers that are passed on is learned in one scope.
    """
    tasks = Tasks(runtime.learn, quiet=serving.quiet)
    behind = [joined(upstreams)] if upstreams else []
    proxy = _proxy(runtime, upstreams, behind[0].name, tasks) if behind else None
    for line in proxy.unrecorded() if proxy is not None else ():
        LOG.warning("%s", line)
    attached = [runtime.attach(WatchedEnvironment(environment)) for environment in (*environments, *behind)]
    shelf = CatalogueReader(runtime.library, attached, states=runtime.callable_states, embedder=runtime.embedder)
    service = Service(runtime, shelf, tasks)
    counter = Counter(service, shelf, direct=Direct(most=serving.direct), proxy=proxy)
    try:
        skills, passed = Skills(runtime.library, shelf), PassedOn(servers=upstreams)
        yield make_server(counter, tasks, skills, passed, limits=serving.limits)
    finally:
        tasks.close()


def _proxy(runtime: Runtime, upstreams: Sequence[McpEnvironment], scope: str, tasks: Tasks) -> ServerProxy:
    """Return what passes tools on; what is known of them is read once, since clients cache the list."""
    return ServerProxy(servers=upstreams, scope=scope, tasks=tasks, notes=runtime.memory.notes(scope))
