"""What stands before every page: names, origins, sizes, rates, and the headers that a browser is told to hold to."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_MOST_CALLERS = 2_000


@dataclass(frozen=True, kw_only=True)
class HostNames:
    """The names by which this server may be called, with the port where one stands in the address."""

    port: int
    names: Sequence[str]

    def known(self, host: str) -> bool:
        """Return whether a `Host` is one of ours. Any other name leads here by somebody else's name server."""
        allowed = {f"{name}:{self.port}" for name in self.names}
        return host.lower() in allowed | ({*self.names} if self.port in (80, 443) else set())

    def own(self, origin: str) -> bool:
        """Return whether an `Origin` is a page of ours."""
        scheme, _, host = origin.partition("://")
        return scheme in ("http", "https") and self.known(host)


class RateLimit:
    """So many requests of one caller in a minute; the oldest callers are forgotten."""

    def __init__(self, a_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = a_minute / 60
        self._most = float(a_minute)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> bool:
        """Return whether one more is within the limit."""
        now = self._clock()
        left, since = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > _MOST_CALLERS:
            self._left.popitem(last=False)
        return left >= 1


@dataclass(frozen=True, kw_only=True)
class WebLimits:
    """Requests of one address in a minute: all of them, those that change something, and tries to come in."""

    all: int = 1_200
    changes: int = 120
    entering: int = 20


class Gatekeeper:
    """Refuses what is not for us, before anything of it is read; puts the headers on everything that goes out."""

    def __init__(self, app: ASGIApp, *, names: HostNames, limits: WebLimits) -> None:
        self._app = app
        self._names = names
        self._all, self._changes = RateLimit(limits.all), RateLimit(limits.changes)
        self._entering = RateLimit(limits.entering)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            status, why = refused
            await PlainTextResponse(why + "\n", status_code=status)(scope, receive, sending)
            return
        await self._app(scope, receive, sending)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers, method = Headers(scope=scope), scope["method"]
        if not self._names.known(headers.get("host", "")):
            return 421, "this server is not called by that name; --name NAME adds one"
        if method not in {*SAFE, "POST"}:
            return 405, "a page is read or posted to"
        if method == "POST" and not self._names.own(headers.get("origin", "")):
            return 403, "a change comes from a page of this server"
        if method != "POST" and headers.get("sec-fetch-mode") == "no-cors" and not _same_site(headers):
            return 403, "another site has no use of this one"
        return self._too_many(scope, method)

    def _too_many(self, scope: Scope, method: str) -> tuple[int, str] | None:
        caller = (scope.get("client") or ("", 0))[0]
        within = self._all.take(caller) and (method != "POST" or self._changes.take(caller))
        if within and scope["path"] == "/enter":
            within = self._entering.take(caller)
        return None if within else (429, "too many requests within a minute; wait a little")


def _same_site(headers: Headers) -> bool:
    return headers.get("sec-fetch-site") in ("same-origin", "none")
