"""OpenAI's client, synchronous or not: chat completions and the Responses interface, recorded and offered to."""

from __future__ import annotations

from typing import Any

from openai import AsyncOpenAI

from nucleate.recording.clients.chat import ChatChunks, ChatDialect, ChatReply
from nucleate.recording.clients.endpoint import Endpoint, Form
from nucleate.recording.clients.responses import ResponsesEndpoint
from nucleate.recording.clients.stand_in import StandIn, replaced
from nucleate.recording.open_task import OpenTask

_FORM = Form(provider="openai", dialect=ChatDialect(), reply=ChatReply, chunks=ChatChunks())


def wrapped(client: Any, run: OpenTask, *, offer: bool) -> Any:
    """Return the client, recorded, and so are the clients that it makes of itself."""
    asynchronous = isinstance(client, AsyncOpenAI)
    chat, responses = Endpoint(_FORM, run, offer=offer), ResponsesEndpoint(run, offer=offer)
    wrap = chat.wrapped_async if asynchronous else chat.wrapped
    answer = responses.wrapped_async if asynchronous else responses.wrapped
    completions = client.chat.completions
    own = replaced(completions, wrap, "create", "parse") | replaced(completions, chat.watched, "stream")
    told = replaced(client.responses, answer, "create", "parse") | replaced(
        client.responses, responses.managed, "stream"
    )

    def again(**options: Any) -> Any:
        return wrapped(client.with_options(**options), run, offer=offer)

    return StandIn(
        client,
        {
            "chat": StandIn(client.chat, {"completions": StandIn(completions, own)}),
            "responses": StandIn(client.responses, told),
            "with_options": again,
            "copy": again,
        },
    )
