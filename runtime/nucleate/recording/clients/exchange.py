"""One request of an agent: our tools are offered with its own, and their calls answered before it sees a reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from nucleate.exports.provider_tools import ProviderTools
from nucleate.recording.clients.hidden import Hidden, Joins, Message

ROUNDS = 8  # after so many calls of ours in a row, the model is asked without them

Request: TypeAlias = dict[str, Any]
Exchange: TypeAlias = Generator[Request, Any, Any]


class ClientReply(Protocol):
    """A whole reply of the model."""

    @property
    def messages(self) -> list[Message]:
        """Return the reply as it stands in a history."""
        ...

    @property
    def id(self) -> str:
        """Return the id by which a later request may go on from the reply; "" where none can."""
        ...

    def without(self, ids: Collection[str]) -> ClientReply:
        """Return the reply without some of its calls."""
        ...


class ClientDialect(Joins, Protocol):
    """How a provider writes requests and calls; `field` holds the history in a request."""

    @property
    def field(self) -> str: ...

    def calls(self, message: Message) -> list[tuple[str, str, Any]]:
        """Return (id, name, the call as it stands there) of every call in a message."""
        ...

    def tool_name(self, tool: Any) -> str:
        """Return the name in a definition of a tool."""
        ...


@dataclass(frozen=True, kw_only=True)
class OfferedTools:
    """The tools that are offered, and what was said about them so far."""

    tools: ProviderTools
    dialect: ClientDialect
    hidden: Hidden

    def exchange(self, request: Request, shown: list[Message]) -> Generator[Request, ClientReply, ClientReply]:
        """Yield requests, take replies, and return the reply that the agent is to see."""
        theirs = [*(request.get("tools") or ())]
        taken = {self.dialect.tool_name(tool) for tool in theirs}
        ours = [tool for tool in self.tools if self.dialect.tool_name(tool) not in taken]
        names = {self.dialect.tool_name(tool) for tool in ours}
        sent, exchanged = [*self.hidden.owed(request), *self.hidden.restored(shown)], list[Message]()
        for left in range(ROUNDS, -1, -1):
            tools = [*theirs, *(ours if left else ())]
            sending = {self.dialect.field: [*sent, *exchanged], **({"tools": tools} if tools else {})}
            reply = yield {**request, **sending}
            called = [call for item in reply.messages for call in self.dialect.calls(item) if call[1] in names]
            if not called:
                break
            ids = {id_ for id_, _, _ in called}
            answers = self.tools.answer([call for _, _, call in called])
            if not left or any(id_ not in ids for item in reply.messages for id_ in self.dialect.call_ids(item)):
                self.hidden.beside(reply.id, reply.messages, ids, answers)
                reply = reply.without(ids)
                break
            exchanged += [*reply.messages, *answers]
        self.hidden.after(shown, exchanged)
        return reply


@dataclass(frozen=True)
class ExchangeEnd:
    """The end of an exchange."""

    reply: Any


def proceed(exchange: Generator[Request, Any, Any], reply: Any) -> Request | ExchangeEnd:
    """Hand in a reply (None at first); return the next request, or the end."""
    try:
        return exchange.send(reply)
    except StopIteration as stop:
        return ExchangeEnd(stop.value)


def drive(exchange: Generator[Request, Any, Any], ask: Callable[[Request], Any]) -> Any:
    """Hold an exchange to its end."""
    step = proceed(exchange, None)
    while not isinstance(step, ExchangeEnd):
        step = proceed(exchange, ask(step))
    return step.reply


async def drive_async(exchange: Generator[Request, Any, Any], ask: Callable[[Request], Awaitable[Any]]) -> Any:
    """Hold an exchange to its end; tools run off the event loop."""
    step = proceed(exchange, None)
    while not isinstance(step, ExchangeEnd):
        step = await asyncio.to_thread(proceed, exchange, await ask(step))
    return step.reply
