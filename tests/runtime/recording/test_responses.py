"""The Responses interface: calls are read from replies, answers from requests, with or without the history."""

from __future__ import annotations

import asyncio
from typing import Any

from openai import AsyncOpenAI, OpenAI

from tests.runtime.recording.desk import done, failed, greeting, recording
from tests.runtime.recording.service import Answer, Events, Service
from tests.runtime.recording.wire import response, response_events

W1 = ("call_1", "get_order", {"order_id": "W1"})
W9 = ("call_2", "get_order", {"order_id": "W9"})


def client_of(service: Service) -> OpenAI:
    return OpenAI(base_url=f"{service.url}/v1", api_key="none", max_retries=0)


def output(id_: str, text: str) -> Any:
    return {"type": "function_call_output", "call_id": id_, "output": text}


def test_calls_are_recorded_where_only_their_outputs_are_sent_back() -> None:
    with Service([response("r1", None, W1, W9), response("r2", "sent")]) as service, client_of(service) as client:
        run = recording()
        create: Any = run.client(client).responses.create
        first = create(model="m", input="Where is W1?")
        outputs = [output("call_2", "Error: no W9"), output("call_1", '{"status": "sent"}')]
        assert create(model="m", previous_response_id=first.id, input=outputs).output_text == "sent"
    assert service.asked[1] == {"model": "m", "previous_response_id": "r1", "input": outputs}
    assert run.steps == (
        done("desk.get_order", {"status": "sent"}, order_id="W1"),
        failed("desk.get_order", "Error: no W9", order_id="W9"),
    )


def test_events_are_recorded_and_passed_on() -> None:
    async def main(url: str) -> list[str]:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
            create: Any = run.client(client).responses.create
            kinds = [event.type async for event in await create(model="m", input="Where is W1?", stream=True)]
            await create(model="m", previous_response_id="r1", input=[output("call_1", "sent")])
            return kinds

    with Service([response_events("r1", None, W1), response("r2", "sent")]) as service:
        run = recording()
        kinds = asyncio.run(main(service.url))
    assert kinds == ["response.output_item.done", "response.completed"]
    assert run.steps == (done("desk.get_order", "sent", order_id="W1"),)


def test_an_offered_tool_is_called_behind_the_agents_back() -> None:
    ours = ("call_0", "greeting", {"name": "Ada"})
    with Service([response("r1", None, ours), response("r2", "Good day")]) as service, client_of(service) as client:
        run = recording(greeting())
        told = run.client(client, offer=True).responses.create(model="m", input="Greet Ada.")
    assert told.output_text == "Good day"
    assert service.asked[0]["tools"][0]["name"] == "greeting"
    assert [item.get("type", "message") for item in service.asked[1]["input"]] == [
        "message",
        "function_call",
        "function_call_output",
    ]
    assert run.steps == (done("greeting", "Good day, Ada", name="Ada"),)


def test_calls_of_both_kinds_are_parted_and_joined_again_in_either_way_of_going_on() -> None:
    both = response("r1", None, ("call_0", "greeting", {}), W1)
    with Service([both, response("r2", "a"), response("r3", "b")]) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).responses.create
        first = create(model="m", input=[{"role": "user", "content": "Where is W1?"}])
        assert [item.call_id for item in first.output if item.type == "function_call"] == ["call_1"]
        create(model="m", previous_response_id=first.id, input=[output("call_1", "sent")])
        history: list[Any] = [{"role": "user", "content": "Where is W1?"}, *first.output, output("call_1", "sent")]
        create(model="m", input=history)
    assert [item["call_id"] for item in service.asked[1]["input"]] == ["call_0", "call_1"]
    assert [(item.get("type"), item.get("call_id")) for item in service.asked[2]["input"][1:]] == [
        ("function_call", "call_0"),
        ("function_call", "call_1"),
        ("function_call_output", "call_0"),
        ("function_call_output", "call_1"),
    ]


def test_the_helper_for_streams_is_recorded_however_it_is_read() -> None:
    script: list[Answer] = [_begun("r1", W1), _begun("r2", W9), response("r3", "sent")]
    with Service(script) as service, client_of(service) as client:
        run = recording()
        responses: Any = run.client(client).responses
        with responses.stream(model="m", input="Where is W1?") as stream:
            assert [event.type for event in stream][-1] == "response.completed"
        with responses.stream(model="m", previous_response_id="r1", input=[output("call_1", "sent")]) as stream:
            assert stream.get_final_response().id == "r2"
        responses.parse(model="m", previous_response_id="r2", input=[output("call_2", "Error: no W9")])
    assert run.steps == (
        done("desk.get_order", "sent", order_id="W1"),
        failed("desk.get_order", "Error: no W9", order_id="W9"),
    )


def _begun(id_: str, call: Any) -> Events:
    """Return a stream as the helper wants it: its state is built from the first event on."""
    whole = response_events(id_, None, call)
    made = {**response(id_), "status": "in_progress"}
    added = {**whole.items[0], "type": "response.output_item.added"}
    begun = [{"type": "response.created", "response": made, "sequence_number": 0}, added]
    return Events([*begun, *whole.items], named=True)
