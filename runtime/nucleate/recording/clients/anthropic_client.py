"""Anthropic's client, synchronous or not: messages with tool_use and tool_result blocks, recorded and offered to."""

from __future__ import annotations

from typing import Any

from anthropic import AsyncAnthropic

from nucleate.recording.clients.blocks import BlockChunks, BlockDialect, BlockReply
from nucleate.recording.clients.endpoint import Endpoint, Form
from nucleate.recording.clients.stand_in import StandIn, replaced
from nucleate.recording.open_task import OpenTask

_FORM = Form(provider="anthropic", dialect=BlockDialect(), reply=BlockReply, chunks=BlockChunks())


def wrapped(client: Any, run: OpenTask, *, offer: bool) -> Any:
    """Return the client, recorded, and so are the clients that it makes of itself."""
    endpoint = Endpoint(_FORM, run, offer=offer)
    wrap = endpoint.wrapped_async if isinstance(client, AsyncAnthropic) else endpoint.wrapped
    messages, beta = client.messages, client.beta.messages

    def again(**options: Any) -> Any:
        return wrapped(client.with_options(**options), run, offer=offer)

    own, tried = (
        replaced(target, wrap, "create", "parse") | replaced(target, endpoint.watched, "stream")
        for target in (messages, beta)
    )
    return StandIn(
        client,
        {
            "messages": StandIn(messages, own),
            "beta": StandIn(client.beta, {"messages": StandIn(beta, tried)}),
            "with_options": again,
            "copy": again,
        },
    )
