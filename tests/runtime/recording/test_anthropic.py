"""Anthropic's client records what an agent's loop does: blocks of calls, blocks of results, whole or in events."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic

from tests.runtime.recording.desk import done, failed, greeting, recording
from tests.runtime.recording.service import Service
from tests.runtime.recording.wire import message, message_events

START: list[Any] = [{"role": "user", "content": "Where is W1?"}]
ASK: dict[str, Any] = {"model": "m", "max_tokens": 10}
W1 = ("toolu_1", "get_order", {"order_id": "W1"})


def client_of(service: Service) -> Anthropic:
    return Anthropic(base_url=service.url, api_key="none", max_retries=0)


def result(id_: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **more}


def test_calls_and_results_become_steps_in_the_order_in_which_they_were_asked_for() -> None:
    calls: Any = (W1, ("toolu_2", "get_order", {"order_id": "W9"}), ("toolu_3", "refund", {}))
    with Service([message("One moment.", *calls), message("It is sent.")]) as service, client_of(service) as client:
        run = recording()
        create: Any = run.client(client).messages.create
        reply = create(messages=START, **ASK)
        parts = [{"type": "text", "text": '{"status": "sent"}'}]
        results = [result("toolu_2", "no such order", is_error=True), result("toolu_1", parts)]
        create(
            messages=[*START, {"role": "assistant", "content": reply.content}, {"role": "user", "content": results}],
            **ASK,
        )
    assert run.steps == (
        done("desk.get_order", {"status": "sent"}, order_id="W1"),
        failed("desk.get_order", "no such order", order_id="W9"),
    )


def test_events_are_recorded_and_passed_on_untouched() -> None:
    with Service([message_events("Well", W1)]) as service, client_of(service) as client:
        run = recording()
        stream = run.client(client).messages.create(messages=START, stream=True, **ASK)
        kinds = [event.type for event in stream]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    call = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"]
    assert kinds == ["message_start", *block, *call, "message_delta", "message_stop"]


def test_the_helper_for_streams_is_recorded_too() -> None:
    with Service([message_events(None, W1), message_events("sent")]) as service, client_of(service) as client:
        run = recording()
        stream: Any = run.client(client).messages.stream
        with stream(messages=START, **ASK) as events:
            asked = events.get_final_message()
        told = {"role": "user", "content": [result("toolu_1", "sent")]}
        with stream(messages=[*START, {"role": "assistant", "content": asked.content}, told], **ASK) as events:
            assert events.get_final_text() == "sent"
    assert run.steps == (done("desk.get_order", "sent", order_id="W1"),)


def test_an_asynchronous_client_records_the_same() -> None:
    async def main(url: str) -> None:
        async with AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
            create: Any = run.client(client, offer=True).messages.create
            reply = await create(messages=START, **ASK)
            told = {"role": "user", "content": [result("toolu_1", "sent")]}
            await create(messages=[*START, {"role": "assistant", "content": reply.content}, told], **ASK)

    greets = message(None, ("toolu_0", "greeting", {}))
    with Service([greets, message(None, W1), message("sent")]) as service:
        run = recording(greeting())
        asyncio.run(main(service.url))
    assert run.steps == (done("greeting", "Good day, everybody"), done("desk.get_order", "sent", order_id="W1"))


@pytest.mark.parametrize("streamed", [False, True])
def test_calls_of_both_kinds_in_one_reply_are_parted_and_joined_again(streamed: bool) -> None:
    make = message_events if streamed else message
    script = [make("Well", ("toolu_0", "greeting", {}), W1), make(None, ("toolu_4", "greeting", {})), make("done")]
    with Service(script) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).messages.create
        shown = _content(create(messages=START, stream=streamed, **ASK))
        assert [(block["type"], block.get("id")) for block in shown] == [("text", None), ("tool_use", "toolu_1")]
        told = {"role": "user", "content": [result("toolu_1", "sent")]}
        history = [*START, {"role": "assistant", "content": shown}, told]
        assert _content(create(messages=history, stream=streamed, **ASK)) == [{"type": "text", "text": "done"}]
    sent = service.asked[1]["messages"]
    assert [block.get("id") for block in sent[1]["content"]] == [None, "toolu_0", "toolu_1"]
    assert [block["tool_use_id"] for block in sent[2]["content"]] == ["toolu_0", "toolu_1"]
    assert [item["role"] for item in service.asked[2]["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert service.asked[0]["tools"][0]["name"] == "greeting"


def _content(reply: Any) -> list[dict[str, Any]]:
    if hasattr(reply, "content"):
        return [block.model_dump(exclude_none=True) for block in reply.content]
    blocks: dict[int, dict[str, Any]] = {}
    for event in reply:
        if event.type == "content_block_start":
            blocks[event.index] = event.content_block.model_dump(exclude_none=True)
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            blocks[event.index]["text"] += event.delta.text
    return [blocks[index] for index in sorted(blocks)]
