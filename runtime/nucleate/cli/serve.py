"""`nucleate serve`: tools and memory over MCP, to an agent on standard input and output, or over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.console import Console

from nucleate.cli.context import environment_for, open_runtime
from nucleate.errors import InputInvalid
from nucleate.mcp import (
    Address,
    ClientLimits,
    Serving,
    Tokens,
    claim_wire,
    make_app,
    open_server,
    read_address,
    read_tokens,
    serve_http,
    serve_stdio,
)
from nucleate.runtime import Runtime
from nucleate_sandbox import Environment


def serve(
    context: typer.Context,
    http: Annotated[
        str | None, typer.Option(help="HOST:PORT to listen at; without it, standard input and output.")
    ] = None,
    token_file: Annotated[Path | None, typer.Option(help="Bearer tokens, one a line (NUCLEATE_SERVE_TOKEN).")] = None,
    name: Annotated[list[str] | None, typer.Option(help="Another host name by which clients call this server.")] = None,
    environment: Annotated[
        list[str] | None, typer.Option(help="MODULE:NAME of an environment; may be repeated.")
    ] = None,
    direct: Annotated[int, typer.Option(min=0, help="How many tools are listed beside the meta-tools.")] = 8,
    running: Annotated[int, typer.Option(min=1, help="Calls of one client at once.")] = 8,
    waiting: Annotated[int, typer.Option(min=0, help="Calls of one client that may wait beyond these.")] = 64,
    a_minute: Annotated[int, typer.Option(min=1, help="Calls of one client within a minute.")] = 6_000,
) -> None:
    """Serve tools and memory over MCP."""
    wire = claim_wire() if http is None else None
    limits = ClientLimits(running=running, waiting=waiting, a_minute=a_minute)
    with open_runtime(context) as runtime:
        environments = _environments(runtime, environment or [])
        with open_server(runtime, environments, serving=Serving(direct=direct, limits=limits)) as server:
            if wire is not None:
                anyio.run(serve_stdio, server, wire)
            elif http is not None:
                address = read_address(http, name or [])
                secret = runtime.settings.serve_token
                tokens, new = read_tokens(token_file, secret.get_secret_value() if secret else None)
                _say(address, tokens if new else ())
                anyio.run(serve_http, make_app(server, address, Tokens(tokens)), address)


def _environments(runtime: Runtime, targets: Sequence[str]) -> list[Environment]:
    """Return the environments that were asked for, or those that can be opened without being asked for."""
    if targets:
        return [environment_for(runtime, target, target=target, task=None) for target in targets]
    console, found = Console(stderr=True), list[Environment]()
    for scope in sorted({tool.scope for tool in runtime.library.tools()}):
        try:
            found.append(environment_for(runtime, scope, target=None, task=None))
        except InputInvalid as error:
            console.print(f"left out: {error}", highlight=False, soft_wrap=True, markup=False)
    return found


def _say(address: Address, new_tokens: Sequence[str]) -> None:
    console = Console(stderr=True)
    console.print(f"serving at {address.url}", highlight=False, soft_wrap=True)
    for token in new_tokens:
        console.print(f"bearer token: {token}", highlight=False, soft_wrap=True, markup=False)
