"""Requests over HTTP: bounded answers, time-outs, retries of what only reads, redirects within one host."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from urllib.parse import quote, urljoin, urlsplit

import httpx

from nucleate.environments.openapi.credentials import Signed
from nucleate.environments.openapi.http_answers import GONE, HttpAnswer
from nucleate.environments.openapi.openapi_values import items
from nucleate.environments.openapi.requests import Request
from nucleate.errors import InputInvalid
from nucleate_sandbox import FunctionError, Json, JsonObject

MIB = 1024 * 1024
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
AGAIN = GONE | {429}
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5
MAX_PAUSE = 5.0


class Unreached(Exception):
    """Nobody answered, or nobody behind the address did."""


@dataclass(frozen=True, kw_only=True)
class HttpLimits:
    """Seconds of one request, bytes of one answer, and how often what only reads is tried again, after which pause."""

    seconds: float = 30.0
    max_bytes: int = 8 * MIB
    retries: int = 2
    pause: Callable[[float], None] = time.sleep


class HttpWire:
    """Sends requests to one base address. Proxies, cookies and `.netrc` of the machine are not used."""

    def __init__(self, base: str, limits: HttpLimits) -> None:
        self.base = base.rstrip("/")
        self._limits = limits
        self._client = httpx.Client(
            timeout=limits.seconds,
            follow_redirects=False,
            trust_env=False,
            headers={"user-agent": f"nucleate/{version('nucleate')}", "accept": "application/json, */*;q=0.5"},
        )

    def send(self, name: str, request: Request, signed: Signed) -> HttpAnswer:
        """Return the answer; raise Unreached where there is none, FunctionError for one that is refused here."""
        last = self._limits.retries if request.method in SAFE else 0
        for attempt in range(last + 1):
            try:
                answer = self._once(name, request, signed)
            except httpx.TimeoutException as error:
                raise _late(name, error) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                if attempt == last:
                    raise Unreached(str(error) or type(error).__name__) from error
                self._limits.pause(0.2 * 2**attempt)
                continue
            if answer.status not in AGAIN or attempt == last:
                return answer
            self._limits.pause(_asked(answer, otherwise=0.2 * 2**attempt))
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _once(self, name: str, request: Request, signed: Signed) -> HttpAnswer:
        url = self._url(request, signed)
        self._client.cookies.clear()
        for _ in range(MAX_REDIRECTS):
            answer = self._answer(name, url, request, signed)
            if answer.status not in REDIRECTS:
                return answer
            url = self._next(name, request, url, answer)
        raise FunctionError(f"{name}: redirected more than {MAX_REDIRECTS} times", kind="Redirected")

    def _url(self, request: Request, signed: Signed) -> str:
        keys = [f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in signed.query.items()]
        query = "&".join(part for part in (request.query, *keys) if part)
        return f"{self.base}/{request.path.lstrip('/')}{'?' if query else ''}{query}"

    def _answer(self, name: str, url: str, request: Request, signed: Signed) -> HttpAnswer:
        headers = {**request.headers, **signed.headers}
        with self._client.stream(request.method, url, headers=headers, content=request.content) as response:
            body = b"".join(self._bounded(name, response.iter_bytes()))
            media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            return HttpAnswer(status=response.status_code, media=media, body=body, headers=response.headers)

    def _bounded(self, name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > self._limits.max_bytes:
                message = f"{name}: the answer has more than {self._limits.max_bytes} bytes"
                raise FunctionError(message, kind="ResultTooLarge")
            yield chunk

    def _next(self, name: str, request: Request, url: str, answer: HttpAnswer) -> str:
        """Return where a redirect leads, if that is on the same host and the request only reads."""
        target: str = urljoin(url, str(answer.headers.get("location", "")))
        if request.method not in SAFE or not _same_host(url, target):
            place = urlsplit(target)
            message = f"{name}: redirected to {place.scheme}://{place.netloc}{place.path}, which was not followed"
            raise FunctionError(message, kind="Redirected")
        return target


def base_of(document: JsonObject, *, given: str | None, source: str | None = None) -> str:
    """Return the address under which a document's paths are: the given one, else that of its first server."""
    base = given or first_server(document)
    if source and not base.startswith(("http://", "https://")):
        base = urljoin(source, base or "/")
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputInvalid(
            f"{base!r} is no address of a service; give the base URL, such as https://api.example.com/v1"
        )
    if parts.username or parts.password:
        raise InputInvalid("the base URL holds a password; give it as a secret, by reference")
    return base


def first_server(document: JsonObject) -> str:
    """Return the address of a document's first server, with the defaults of its variables; "" where it has none."""
    servers = items(document.get("servers"))
    server = servers[0] if servers and isinstance(servers[0], dict) else {}
    url = server.get("url")
    base = url if isinstance(url, str) else ""
    variables = server.get("variables")
    for name, variable in (variables if isinstance(variables, dict) else {}).items():
        base = base.replace("{" + name + "}", _default(variable))
    return base


def _default(variable: Json) -> str:
    return str(variable.get("default", "")) if isinstance(variable, dict) else ""


def _same_host(url: str, target: str) -> bool:
    """Return whether a redirect stays where it is, or only becomes safe (http to https)."""
    here, there = urlsplit(url), urlsplit(target)
    upgraded: bool = (here.scheme, there.scheme) == ("http", "https") and here.port is None and there.port is None
    same: bool = (here.scheme, here.port) == (there.scheme, there.port)
    return here.hostname == there.hostname and (same or upgraded)


def _asked(answer: HttpAnswer, *, otherwise: float) -> float:
    """Return the seconds that the server asks to wait, within a bound."""
    text = answer.headers.get("retry-after", "")
    return min(float(text), MAX_PAUSE) if text.isdigit() else otherwise


def _late(name: str, error: httpx.TimeoutException) -> Exception:
    if isinstance(error, httpx.ConnectTimeout):
        return Unreached("nobody took the connection in time")
    return FunctionError(f"{name} was not answered in time; whether it had an effect is unknown", kind="Timeout")
