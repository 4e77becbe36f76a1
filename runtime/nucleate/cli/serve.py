"""`nucleate serve`: tools and memory over MCP, to an agent on standard input and output, or over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
import typer
from mcp.server.lowlevel import Server

from nucleate import events
from nucleate.calling_places import environment_for
from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.cli.web import page
from nucleate.environments import McpEnvironment
from nucleate.errors import InputInvalid
from nucleate.mcp import (
    ClientLimits,
    ListenAddress,
    ServingBounds,
    Tokens,
    claim_wire,
    listening,
    make_app,
    open_server,
    read_address,
    read_places,
    read_tokens,
    serve_http,
    serve_stdio,
)
from nucleate.runtime import Runtime
from nucleate_sandbox import Environment, EnvironmentUnavailable


def serve(
    context: typer.Context,
    http: Annotated[str | None, typer.Option(help="HOST:PORT; without it, standard input and output.")] = None,
    token_file: Annotated[Path | None, typer.Option(help="Bearer tokens, one a line (NUCLEATE_SERVE_TOKEN).")] = None,
    name: Annotated[list[str] | None, typer.Option(help="Another host name by which clients call it.")] = None,
    environment: Annotated[list[str] | None, typer.Option(help="MODULE:NAME, or the name of a known one.")] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="[NAME=]COMMAND, address or known name of an MCP server.")
    ] = None,
    web: Annotated[str | None, typer.Option(help="HOST:PORT; open the page there, too.")] = None,
    direct: Annotated[int, typer.Option(min=0, help="Tools that are listed beside the meta-tools.")] = 8,
    running: Annotated[int, typer.Option(min=1, help="Calls of one client at once.")] = 8,
    waiting: Annotated[int, typer.Option(min=0, help="Calls of one client that may wait beyond these.")] = 64,
    a_minute: Annotated[int, typer.Option(min=1, help="Calls of one client within a minute.")] = 6_000,
    quiet: Annotated[float, typer.Option(min=1, help="Seconds without a call after which a task has ended.")] = 120,
) -> None:
    """Serve tools and memory over MCP.

    Nothing but the protocol passes on standard output. Over HTTP a bearer token is needed; without one given, a new
    one is made and printed.
    """
    wire = claim_wire() if http is None else None
    limits = ClientLimits(running=running, waiting=waiting, a_minute=a_minute)
    serving = ServingBounds(direct=direct, limits=limits, quiet=quiet)
    with ExitStack() as stack:
        told = list[events.Listener]()
        runtime = stack.enter_context(open_runtime(context, listen=lambda event: _tell(told, event)))
        if web is not None:
            told.append(_open_page(stack, runtime, web, token_file))
        upstreams = _upstreams(stack, runtime, [*runtime.settings.serve_proxy, *(proxy or [])])
        environments = _environments(runtime, environment or [], proxied=bool(upstreams))
        server = stack.enter_context(open_server(runtime, environments, upstreams=upstreams, serving=serving))
        if wire is not None:
            anyio.run(serve_stdio, server, wire)
        elif http is not None:
            _serve_http(server, runtime, read_address(http, name or []), token_file)


def _open_page(stack: ExitStack, runtime: Runtime, web: str, token_file: Path | None) -> events.Listener:
    """Serve the page from a thread, over the same database; return what hears what this process learns."""
    site, serve_page = stack.enter_context(page(runtime.settings, web, names=[], token_file=token_file))
    threading.Thread(target=serve_page, daemon=True, name="page").start()
    return site.listen


def _tell(told: Sequence[events.Listener], event: events.Event) -> None:
    for listen in told:
        listen(event)


def _serve_http(server: Server[None], runtime: Runtime, address: ListenAddress, token_file: Path | None) -> None:
    secret = runtime.settings.serve_token
    tokens, new = read_tokens(token_file, secret.get_secret_value() if secret else None)
    app = make_app(server, address, Tokens(tokens))
    with listening(address) as (bound, here):
        _say(f"serving at {here.url}")
        for token in tokens if new else ():
            _say(f"bearer token: {token}")
        anyio.run(serve_http, app, bound)


def _environments(runtime: Runtime, targets: Sequence[str], *, proxied: bool) -> list[Environment]:
    """Return the environments that were asked for, or those that can be opened without being asked for."""
    if targets:
        return [environment_for(runtime, target, target=target, task=None) for target in targets]
    if proxied:
        return []
    found = list[Environment]()
    for scope in sorted({tool.scope for tool in runtime.library.tools()}):
        try:
            found.append(environment_for(runtime, scope, target=None, task=None))
        except InputInvalid as error:
            _say(f"left out: {error}")
    return found


def _upstreams(stack: ExitStack, runtime: Runtime, texts: Sequence[str]) -> list[McpEnvironment]:
    """Connect to the other servers; one that does not answer is left out, and all of them are an error."""
    known, found = runtime.known.all(), list[McpEnvironment]()
    places = read_places([text for text in texts if text not in known])
    ways = [partial(_known_server, runtime, text) for text in texts if text in known]
    for connect in (*ways, *(partial(McpEnvironment, place.name, place.server) for place in places)):
        try:
            found.append(stack.enter_context(connect()))
        except EnvironmentUnavailable as error:
            _say(f"left out: {error}")
    if texts and not found:
        raise InputInvalid("none of the servers that were to be passed on answers; the lines above say why")
    return found


def _known_server(runtime: Runtime, name: str) -> McpEnvironment:
    environment = runtime.known.open(name)
    if not isinstance(environment, McpEnvironment):
        raise InputInvalid(f"the environment {name!r} is no MCP server; give it by --environment")
    return environment


def _say(line: str) -> None:
    Screen(stderr=True).print(line, highlight=False, soft_wrap=True, markup=False)
