"""Who calls: a connection, a session, or where neither exists, a name at an address behind a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp.server.context import ServerRequestContext

from nucleate_sandbox import Json, JsonObject

PREFIX = "nucleate/"
MAX_NAME = 200


@dataclass(frozen=True, kw_only=True)
class Caller:
    """A client under limits; `session` is the run of calls in which its tasks follow one another."""

    client: str
    session: str
    program: str
    said: JsonObject


def caller_of(context: ServerRequestContext[Any, Any]) -> Caller:
    """Return who makes a request.

    Over stdio there is one client. Over HTTP the handshake protocol gives sessions; the modern one has none, so there
    it is the token, the address and the program's own name. `_meta` may tell apart what these do not: by
    `nucleate/session`, or by the trace of a `traceparent`.
    """
    said, program, who = _said(context), _program(context), "stdio"
    if context.request is not None:
        who = context.request.headers.get("mcp-session-id") or f"{_token(context)}@{_host(context)}/{program}"
    session = f"{who}/{said.get('session') or _trace(context)}"
    return Caller(client=who, session=session, program=program, said=said)


def _trace(context: ServerRequestContext[Any, Any]) -> str:
    """Return the trace that a request belongs to, where modern clients over HTTP have nothing else to be told by."""
    if context.request is None or "mcp-session-id" in context.request.headers:
        return ""
    parent = dict(context.meta or {}).get("traceparent")
    return parent[3:35] if isinstance(parent, str) else ""


def _said(context: ServerRequestContext[Any, Any]) -> JsonObject:
    """Return our own fields of the request's `_meta`."""
    meta: dict[str, Any] = dict(context.meta or {})
    fields = {key.removeprefix(PREFIX): value for key, value in meta.items() if key.startswith(PREFIX)}
    return {key: _short(value) for key, value in fields.items()}


def _short(value: Json) -> Json:
    return value[: MAX_NAME * 50] if isinstance(value, str) else value


def _program(context: ServerRequestContext[Any, Any]) -> str:
    known = context.session.client_params
    return known.client_info.name[:MAX_NAME] if known is not None else ""


def _token(context: ServerRequestContext[Any, Any]) -> str:
    user = context.request.scope.get("user") if context.request is not None else None
    return str(getattr(user, "username", ""))


def _host(context: ServerRequestContext[Any, Any]) -> str:
    client = context.request.client if context.request is not None else None
    return client.host if client is not None else ""
