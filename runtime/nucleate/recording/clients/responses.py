"""OpenAI's Responses interface: items in and out; a later request may go on from a reply without its history."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from nucleate.exports.provider_tools import ProviderTools
from nucleate.recording.clients.endpoint import read
from nucleate.recording.clients.exchange import ClientReply, Exchange, OfferedTools, Request, drive, drive_async
from nucleate.recording.clients.hidden import Hidden, Message
from nucleate.recording.clients.stand_in import plain
from nucleate.recording.clients.watching import AsyncWatched, WatchedManager, WatchedStream
from nucleate.recording.log import StepPlace
from nucleate.recording.open_task import OpenTask
from nucleate.recording.stored import stored, stored_object
from nucleate.recording.unharmed import left_out
from nucleate_text_memory import Step
from nucleate_text_memory.recordings.happenings import Answered, AskedCall
from nucleate_text_memory.recordings.response_items import item_happenings


class ResponsesDialect:
    """How the Responses interface writes calls and answers: each is an item of its own."""

    field = "input"

    def calls(self, message: Message) -> list[tuple[str, str, Any]]:
        """Return the call that an item is."""
        return [(message["call_id"], message["name"], message)] if message.get("type") == "function_call" else []

    def call_ids(self, message: Message) -> Collection[str]:
        """Return the id of the call that an item is."""
        return [message["call_id"]] if str(message.get("type")).endswith("_call") and "call_id" in message else []

    def tool_name(self, tool: Any) -> str:
        """Return the name in a definition."""
        return str(plain(tool).get("name"))

    def joined(self, answers: list[Message], following: Message | None) -> list[Message]:
        """Return the answers before what follows."""
        return [*answers, *([] if following is None else [following])]

    def kept_by(self, reply: list[Message], ours: Collection[str]) -> tuple[frozenset[str], list[Message]]:
        """Return the id of the last call that is left: our calls go before it, and their answers after it."""
        theirs = [item for item in reply if self.call_ids(item) and item["call_id"] not in ours]
        own = [item for item in reply if self.call_ids(item) and item["call_id"] in ours]
        return frozenset(self.call_ids(theirs[-1]) if theirs else ()), [*own, *theirs[-1:]]


@dataclass(frozen=True)
class ResponseReply:
    """A response."""

    value: Any

    @property
    def id(self) -> str:
        """Return the response's id."""
        return str(self.value.id)

    @property
    def messages(self) -> list[Message]:
        """Return the items of the output."""
        return [plain(item) for item in self.value.output]

    def without(self, ids: Collection[str]) -> ResponseReply:
        """Return a copy without some calls."""
        kept = [item for item in self.value.output if getattr(item, "call_id", None) not in ids]
        return ResponseReply(self.value.model_copy(update={"output": kept}))


class ResponsesEndpoint:
    """Records calls from replies and answers from requests. Streams are recorded; tools are offered without them."""

    def __init__(self, run: OpenTask, *, offer: bool) -> None:
        self._run = run
        self._open: dict[str, tuple[AskedCall, StepPlace]] = {}
        self._dialect = ResponsesDialect()
        tools = ProviderTools(run.recorded_tools, provider="openai_responses") if offer and run.tools else None
        self._ours = frozenset(tools.names) if tools else frozenset[str]()
        self._offer = OfferedTools(tools=tools, dialect=self._dialect, hidden=Hidden(self._dialect)) if tools else None

    def wrapped(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return the synchronous method, recorded and offered to."""

        @functools.wraps(method)
        def create(*args: Any, **request: Any) -> Any:
            exchange = self._exchange(request)
            if request.get("stream"):
                return WatchedStream(method(*args, **request), self._asked)
            if exchange is None:
                return self._heard(method(*args, **request))
            return self._heard(drive(exchange, lambda sent: ResponseReply(method(*args, **sent))).value)

        return create

    def wrapped_async(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Return the asynchronous method, recorded and offered to."""

        @functools.wraps(method)
        async def create(*args: Any, **request: Any) -> Any:
            exchange = self._exchange(request)
            if request.get("stream"):
                return AsyncWatched(await method(*args, **request), self._asked)
            if exchange is None:
                return self._heard(await method(*args, **request))

            async def ask(sent: Request) -> ClientReply:
                return ResponseReply(await method(*args, **sent))

            return self._heard((await drive_async(exchange, ask)).value)

        return create

    def managed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method that manages a stream, recorded."""

        @functools.wraps(method)
        def stream(*args: Any, **request: Any) -> Any:
            self._taken(request)
            return WatchedManager(method(*args, **request), self._asked)

        return stream

    def _taken(self, request: Request) -> list[Message] | None:
        shown: list[Message] | None = None
        with left_out("what a request tells"):
            given = request.get("input")
            shown = [{"role": "user", "content": given}] if isinstance(given, str) else read(request, "input")
            for item in shown:
                self._answered(item)
        return shown

    def _exchange(self, request: Request) -> Exchange | None:
        shown = self._taken(request)
        return None if self._offer is None or shown is None else self._offer.exchange(request, shown)

    def _heard(self, response: Any) -> Any:
        with left_out("what a reply tells"):
            self._asked(response.output)
        return response

    def _asked(self, items: Sequence[Any]) -> None:
        with left_out("what a reply tells"):
            for call in (happening for item in items for happening in item_happenings(plain(item))):
                if isinstance(call, AskedCall) and call.id is not None and call.name not in self._ours:
                    self._open.setdefault(call.id, (call, self._run.begin()))

    def _answered(self, item: Message) -> None:
        for answer in item_happenings(item):
            if isinstance(answer, Answered) and answer.id in self._open:
                call, place = self._open[answer.id]
                name, arguments = self._run.name_of(call.name), stored_object(call.arguments)
                place.end(Step(function=name, arguments=arguments, result=stored(answer.result), error=answer.error))
