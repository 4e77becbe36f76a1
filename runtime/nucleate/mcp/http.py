"""Serving over streamable HTTP: behind a bearer token, and to names of this machine alone unless told otherwise."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from nucleate.errors import InputInvalid

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SHORTEST_TOKEN = 16
KEEP_ALIVE_SECONDS = 120


@dataclass(frozen=True, kw_only=True)
class ListenAddress:
    """Where to listen, and the other names by which clients may call this server (`Host`, without a port)."""

    host: str
    port: int
    names: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Return the address of the endpoint."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/mcp"


class Tokens:
    """The bearer tokens that open the server; each is a client of its own."""

    def __init__(self, tokens: Sequence[str]) -> None:
        if short := [token for token in tokens if len(token) < SHORTEST_TOKEN]:
            raise InputInvalid(
                f"a token of {len(short[0])} characters can be guessed; give one of at least {SHORTEST_TOKEN}"
            )
        self._tokens = tuple(tokens)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who has this token; the comparison takes as long for any other."""
        given = token.encode()
        found = [number for number, known in enumerate(self._tokens, 1) if hmac.compare_digest(given, known.encode())]
        return AccessToken(token=token, client_id=f"token-{found[0]}", scopes=[]) if found else None


def read_address(text: str, names: Sequence[str] = ()) -> ListenAddress:
    """Read `HOST:PORT`, `:PORT` or `PORT`."""
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise InputInvalid(f"{text!r} is no HOST:PORT; as in 127.0.0.1:8765")
    return ListenAddress(host=host.strip("[]") or LOOPBACK[0], port=int(port), names=tuple(names))


def read_tokens(file: Path | None, given: str | None) -> tuple[Sequence[str], bool]:
    """Return the tokens of a file (one a line), or the given one, or a new one; and whether it is new."""
    if file is not None:
        try:
            lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        except OSError as error:
            raise InputInvalid(f"the token file {str(file)!r} cannot be read: {error.strerror}") from error
        tokens = [line for line in lines if line and not line.startswith("#")]
        if not tokens:
            raise InputInvalid(f"the token file {str(file)!r} holds no token; write one a line")
        return tokens, False
    return ([given], False) if given else ([secrets.token_urlsafe(32)], True)


def make_app(server: Server[None], address: ListenAddress, tokens: Tokens) -> Starlette:
    """Return the application: `/mcp`, for whoever has a token and calls it by a name that it knows."""
    names = [*LOOPBACK[:2], "[::1]", *address.names]
    names += [address.host] if address.host not in (*LOOPBACK, "0.0.0.0", "::") else []  # noqa: S104 - compared
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in names
                         for port in ("", ":*")],
    )  # fmt: skip
    return server.streamable_http_app(
        transport_security=security,
        auth=AuthSettings(issuer_url=AnyHttpUrl("http://localhost"), resource_server_url=None),
        token_verifier=tokens,
    )


@contextmanager
def listening(address: ListenAddress) -> Iterator[tuple[socket.socket, ListenAddress]]:
    """Listen, and yield the socket with the address that it really has: port 0 is any that is free."""
    try:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        bound = socket.create_server((address.host, address.port), family=family)
    except OSError as error:
        raise InputInvalid(f"cannot listen at {address.url}: {error.strerror or error}; choose another port") from error
    with bound:
        yield bound, replace(address, port=bound.getsockname()[1])


async def serve_http(app: Starlette, bound: socket.socket) -> None:
    """Serve until the process is told to end."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=5,
    )
    await uvicorn.Server(config).serve(sockets=[bound])
