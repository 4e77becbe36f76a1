"""A method of a client that sends requests: what it is given is recorded, and our tools are offered along."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nucleate.exports.provider_tools import ProviderTools
from nucleate.recording.clients.exchange import Dialect, Offer, Reply, Request, drive, drive_async
from nucleate.recording.clients.hidden import Hidden, Message
from nucleate.recording.clients.history import History
from nucleate.recording.clients.proxy import plain
from nucleate.recording.clients.streams import AsyncOfferedStream, Chunks, OfferedStream

if TYPE_CHECKING:
    from nucleate.recording.task import Recording


@dataclass(frozen=True, kw_only=True)
class Form:
    """What differs between providers."""

    provider: str
    dialect: Dialect
    reply: Callable[[Any], Reply]
    chunks: Chunks


class Endpoint:
    """Wraps methods that send the same kind of request, as `create` and `parse` do."""

    def __init__(self, form: Form, run: Recording, *, offer: bool) -> None:
        self._form = form
        self._history = History(run)
        hidden = Hidden(form.dialect)
        tools = ProviderTools(run.recorded_tools, provider=form.provider) if offer and run.tools else None
        self._offer = Offer(tools=tools, dialect=form.dialect, hidden=hidden) if tools else None

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
            shown = self._taken(request)
            offer = self._for(request)
            if offer is None:
                return method(*args, **request)
            exchange = offer.exchange(request, shown)
            if request.get("stream"):
                return OfferedStream(exchange, lambda sent: method(*args, **sent), self._form.chunks)
            return drive(exchange, lambda sent: self._form.reply(method(*args, **sent))).value

        return send

    def wrapped_async(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Return an asynchronous method, recorded and offered to."""

        @functools.wraps(method)
        async def send(*args: Any, **request: Any) -> Any:
            shown = self._taken(request)
            offer = self._for(request)
            if offer is None:
                return await method(*args, **request)
            exchange = offer.exchange(request, shown)
            if request.get("stream"):
                return await AsyncOfferedStream(
                    exchange, lambda sent: method(*args, **sent), self._form.chunks
                ).opened()

            async def ask(sent: Request) -> Reply:
                return self._form.reply(await method(*args, **sent))

            return (await drive_async(exchange, ask)).value

        return send

    def _taken(self, request: Request) -> list[Message]:
        messages = request.get(self._form.dialect.field)
        if messages is None or isinstance(messages, str):
            return []
        request[self._form.dialect.field] = listed = list(messages)
        shown: list[Message] = [plain(message) for message in listed]
        self._history.take(shown)
        return shown

    def _for(self, request: Request) -> Offer | None:
        """Return what is offered with a request; of several choices, none could be answered for all."""
        several = isinstance(request.get("n"), int) and request["n"] > 1
        return None if several else self._offer
