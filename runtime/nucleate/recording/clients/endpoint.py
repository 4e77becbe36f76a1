"""A method of a client that sends requests: what it is given is recorded, and our tools are offered along."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from nucleate.exports.provider_tools import ProviderTools
from nucleate.recording.clients.exchange import (
    ClientDialect,
    ClientReply,
    Exchange,
    OfferedTools,
    Request,
    drive,
    drive_async,
)
from nucleate.recording.clients.hidden import Hidden, Message
from nucleate.recording.clients.history import History
from nucleate.recording.clients.stand_in import plain
from nucleate.recording.clients.streams import AsyncOfferedStream, Chunks, OfferedStream
from nucleate.recording.open_task import OpenTask
from nucleate.recording.unharmed import left_out


@dataclass(frozen=True, kw_only=True)
class Form:
    """What differs between providers."""

    provider: str
    dialect: ClientDialect
    reply: Callable[[Any], ClientReply]
    chunks: Chunks


class Endpoint:
    """Wraps methods that send the same kind of request, as `create` and `parse` do."""

    def __init__(self, form: Form, run: OpenTask, *, offer: bool) -> None:
        self._form = form
        self._history = History(run)
        hidden = Hidden(form.dialect)
        tools = ProviderTools(run.recorded_tools, provider=form.provider) if offer and run.tools else None
        self._offer = OfferedTools(tools=tools, dialect=form.dialect, hidden=hidden) if tools else None

    def watched(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method whose requests are recorded, and nothing else."""

        @functools.wraps(method)
        def send(*args: Any, **request: Any) -> Any:
            self._taken(request)
            return method(*args, **request)

        return send

    def wrapped(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a synchronous method, recorded and offered to."""

        @functools.wraps(method)
        def send(*args: Any, **request: Any) -> Any:
            exchange = self._exchange(request)
            if exchange is None:
                return method(*args, **request)
            if request.get("stream"):
                return OfferedStream(exchange, lambda sent: method(*args, **sent), self._form.chunks)
            return drive(exchange, lambda sent: self._form.reply(method(*args, **sent))).value

        return send

    def wrapped_async(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Return an asynchronous method, recorded and offered to."""

        @functools.wraps(method)
        async def send(*args: Any, **request: Any) -> Any:
            exchange = self._exchange(request)
            if exchange is None:
                return await method(*args, **request)
            if request.get("stream"):
                return await AsyncOfferedStream(
                    exchange, lambda sent: method(*args, **sent), self._form.chunks
                ).opened()

            async def ask(sent: Request) -> ClientReply:
                return self._form.reply(await method(*args, **sent))

            return (await drive_async(exchange, ask)).value

        return send

    def _taken(self, request: Request) -> list[Message] | None:
        """Record what is new in a request, and return its messages as plain JSON; None where they cannot be read."""
        shown: list[Message] | None = None
        with left_out("what a request tells"):
            shown = read(request, self._form.dialect.field)
            self._history.take(shown)
        return shown

    def _exchange(self, request: Request) -> Exchange | None:
        """Return the exchange in which tools are offered with a request; of several choices, none could be answered."""
        shown = self._taken(request)
        several = isinstance(request.get("n"), int) and request["n"] > 1
        return None if several or self._offer is None or shown is None else self._offer.exchange(request, shown)


def read(request: Request, field: str) -> list[Message]:
    """Return the messages of a request as plain JSON; an iterator among them is made a list for the request."""
    messages = request.get(field)
    if messages is None or isinstance(messages, str):
        return []
    if not isinstance(messages, list | tuple):
        request[field] = messages = list(messages)
    return [plain(message) for message in messages]
