"""OpenAI's client records what an agent's loop does, and nothing else about it changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import APIConnectionError, APIError, AsyncOpenAI, OpenAI

from nucleate.recording import Recording
from tests.runtime.recording.desk import FUNCTIONS, OrderNotFound, done, failed, greeting, out_of_order, recording
from tests.runtime.recording.service import Answer, Service
from tests.runtime.recording.wire import chat, chat_chunks

TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in FUNCTIONS
]
START: list[Any] = [{"role": "user", "content": "Where is W1?"}]


def client_of(service: Service) -> OpenAI:
    return OpenAI(base_url=f"{service.url}/v1", api_key="none", max_retries=0)


def answered(call: Any) -> dict[str, Any]:
    try:
        text = json.dumps(FUNCTIONS[call.function.name](**json.loads(call.function.arguments)))
    except (OrderNotFound, TypeError) as error:
        text = f"Error: {error}"
    return {"role": "tool", "tool_call_id": call.id, "content": text}


def solve(client: OpenAI, messages: list[Any] | None = None) -> tuple[str | None, list[Any]]:
    """Work as an agent's own loop does: it knows nothing of recordings."""
    messages = [*(messages or START)]
    while True:
        reply = client.chat.completions.create(model="m", messages=messages, tools=TOOLS).choices[0].message
        messages.append(reply)
        if not reply.tool_calls:
            return reply.content, messages
        messages += [answered(call) for call in reply.tool_calls]


def test_calls_and_results_become_steps_in_the_order_in_which_they_were_asked_for() -> None:
    asked = chat(None, ("c1", "get_order", {"order_id": "W1"}), ("c2", "get_order", {"order_id": "W9"}))
    script = [asked, chat(None, ("c3", "refund", {"order_id": "W1"})), chat("It is sent.")]
    with Service(script) as service, client_of(service) as client:
        run = recording()
        told, _ = solve(run.client(client))
    assert told == "It is sent."
    assert run.steps == (
        done("desk.get_order", {"status": "sent", "customer": "ada"}, order_id="W1"),
        failed("desk.get_order", "Error: no order 'W9'", order_id="W9"),
        done("desk.refund", True, order_id="W1"),
    )


def test_requests_and_replies_stay_as_they_are() -> None:
    script = [chat(None, ("c1", "get_order", {"order_id": "W1"})), chat("done")]
    asked = []
    for wrap in (False, True):
        with Service(script) as service, client_of(service) as client:
            _, messages = solve(recording(greeting()).client(client) if wrap else client)
            asked.append((service.asked, [getattr(m, "content", m) for m in messages]))
    assert asked[0] == asked[1]


def test_a_wrapped_client_is_still_the_client_that_it_was() -> None:
    with Service([]) as service, client_of(service) as client:
        wrapped = recording().client(client)
        assert isinstance(wrapped, OpenAI)
        assert wrapped.base_url == client.base_url
        assert wrapped.with_options(timeout=3).timeout == 3
        with pytest.raises(APIConnectionError):
            wrapped.with_options(base_url="http://127.0.0.1:9/v1").models.list()


def test_what_was_done_before_the_recording_is_no_part_of_it() -> None:
    before = [
        *START,
        {"role": "assistant", "tool_calls": chat(None, ("c1", "refund", {}))["choices"][0]["message"]["tool_calls"]},
        {"role": "tool", "tool_call_id": "c1", "content": "true"},
        {"role": "user", "content": "And W2?"},
    ]
    script = [chat(None, ("c1", "get_order", {"order_id": "W2"})), chat("open")]
    with Service(script) as service, client_of(service) as client:
        run = recording()
        solve(run.client(client), before)
    assert run.steps == (done("desk.get_order", {"status": "open", "customer": "bo"}, order_id="W2"),)


def test_two_conversations_with_the_same_ids_are_kept_apart() -> None:
    script = [chat(None, ("call_0", "get_order", {"order_id": "W1"})), chat("sent")] * 2
    with Service(script) as service, client_of(service) as client:
        run = recording()
        wrapped = run.client(client)
        solve(wrapped)
        solve(wrapped, [{"role": "user", "content": "Look again."}])
    assert [step.arguments for step in run.steps] == [{"order_id": "W1"}] * 2


def test_a_history_that_was_cut_still_ends_with_its_newest_calls() -> None:
    first = ("call_abcdefghijkl", "get_order", {"order_id": "W1"})
    second = ("call_mnopqrstuvwx", "get_order", {"order_id": "W2"})
    with Service([chat(None, first), chat(None, second), chat("ok")]) as service, client_of(service) as client:
        run = recording()
        create: Any = run.client(client).chat.completions.create
        messages = [*START]
        for _ in range(2):
            reply = create(model="m", messages=messages).choices[0].message
            assert reply.tool_calls
            messages += [reply, *map(answered, reply.tool_calls)]
        create(model="m", messages=[{"role": "user", "content": "In short: W1 is sent."}, *messages[1:]])
    assert [step.arguments["order_id"] for step in run.steps] == ["W1", "W2"]


def test_a_call_without_an_answer_and_arguments_that_are_no_json_do_no_harm() -> None:
    broken = chat(None, ("c1", "get_order", {}), ("c2", "refund", {}))
    broken["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = "{oops"
    with Service([broken, chat("hm")]) as service, client_of(service) as client:
        run = recording()
        create: Any = run.client(client).chat.completions.create
        reply = create(model="m", messages=START).choices[0].message
        told = {"role": "tool", "tool_call_id": "c1", "content": "Error: not JSON"}
        create(model="m", messages=[*START, reply, told])
    assert run.steps == (failed("desk.get_order", "Error: not JSON", input="{oops"),)


def test_a_stream_is_recorded_and_passed_on_untouched() -> None:
    call = ("c1", "get_order", {"order_id": "W1"})
    with Service([chat_chunks(None, call), chat_chunks("It is sent.")]) as service, client_of(service) as client:
        run = recording()
        create: Any = run.client(client).chat.completions.create
        parts = list(create(model="m", messages=START, stream=True))
        assert len(parts) == 5
        asked = chat(None, call)["choices"][0]["message"]
        told = {"role": "tool", "tool_call_id": "c1", "content": '"sent"'}
        stream = create(model="m", messages=[*START, asked, told], stream=True)
        words = [part.choices[0].delta.content for part in stream]
    assert words == ["", "It", "is", "sent.", None]
    assert run.steps == (done("desk.get_order", "sent", order_id="W1"),)


def test_an_asynchronous_client_records_the_same() -> None:
    async def agent(client: AsyncOpenAI) -> None:
        messages = [*START]
        for _ in range(2):
            reply = (await client.chat.completions.create(model="m", messages=messages)).choices[0].message
            messages += [reply, *map(answered, reply.tool_calls or [])]

    async def main(url: str, run: Recording) -> None:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
            await agent(run.client(client))

    with Service([chat(None, ("c1", "get_order", {"order_id": "W1"})), chat("sent")]) as service:
        run = recording()
        asyncio.run(main(service.url, run))
    assert [step.function for step in run.steps] == ["desk.get_order"]


def script(*answers: Answer) -> Iterator[Answer]:
    return iter(answers)


def test_an_offered_tool_is_called_behind_the_agents_back() -> None:
    ours, theirs = ("c1", "greeting", {"name": "Ada"}), ("c2", "get_order", {"order_id": "W1"})
    with (
        Service([chat(None, ours), chat(None, theirs), chat("Good day, Ada")]) as service,
        client_of(service) as client,
    ):
        run = recording(greeting())
        told, messages = solve(run.client(client, offer=True))
    assert told == "Good day, Ada"
    assert [getattr(m, "role", None) or m["role"] for m in messages] == ["user", "assistant", "tool", "assistant"]
    names = [tool["function"]["name"] for tool in service.asked[0]["tools"]]
    assert names == ["get_order", "refund", "greeting"]
    assert [m["role"] for m in service.asked[1]["messages"]] == ["user", "assistant", "tool"]
    assert service.asked[1]["messages"][2]["content"] == "Good day, Ada"
    sent = service.asked[2]["messages"]
    assert [m["role"] for m in sent] == ["user", "assistant", "tool", "assistant", "tool"]
    assert sent[:3] == service.asked[1]["messages"]
    assert [step.function for step in run.steps] == ["greeting", "desk.get_order"]
    assert run.steps[0] == done("greeting", "Good day, Ada", name="Ada")


@pytest.mark.parametrize("streamed", [False, True])
def test_calls_of_both_kinds_in_one_reply_are_parted_and_joined_again(streamed: bool) -> None:
    calls: Any = (("c1", "greeting", {}), ("c2", "get_order", {"order_id": "W1"}), ("c3", "greeting", {"name": "Bo"}))
    make = chat_chunks if streamed else chat
    with Service([make("One moment.", *calls), make("done")]) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).chat.completions.create
        reply = create(model="m", messages=START, tools=TOOLS, stream=streamed)
        shown = _whole(reply)
        assert [(call["id"], call["function"]) for call in shown["tool_calls"]] == [
            ("c2", {"name": "get_order", "arguments": '{"order_id": "W1"}'})
        ]
        told = {"role": "tool", "tool_call_id": "c2", "content": "{}"}
        _whole(create(model="m", messages=[*START, shown, told], tools=TOOLS, stream=streamed))
    sent = service.asked[1]["messages"]
    assert [call["id"] for call in sent[1]["tool_calls"]] == ["c1", "c2", "c3"]
    assert [message["tool_call_id"] for message in sent[2:]] == ["c1", "c3", "c2"]


def _whole(reply: Any) -> dict[str, Any]:
    if hasattr(reply, "choices"):
        whole: dict[str, Any] = reply.choices[0].message.model_dump(exclude_none=True)
        return whole
    calls: dict[int, Any] = {}
    for piece in (piece for part in reply for piece in part.choices[0].delta.tool_calls or []):
        call = calls.setdefault(piece.index, {"type": "function", "function": {"name": "", "arguments": ""}})
        call["id"] = piece.id or call.get("id")
        call["function"]["name"] += piece.function.name or ""
        call["function"]["arguments"] += piece.function.arguments
    return {"role": "assistant", "content": "One moment.", "tool_calls": [calls[index] for index in sorted(calls)]}


def test_a_stream_goes_on_after_a_call_of_ours_as_if_it_were_one() -> None:
    answers = [chat_chunks("Hello", ("c1", "greeting", {})), chat_chunks("and good day")]
    with Service(answers) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).chat.completions.create
        with create(model="m", messages=START, stream=True) as stream:
            words = [part.choices[0].delta.content for part in stream if part.choices[0].delta.content]
    assert words == ["Hello", "and", "good", "day"]
    assert service.asked[0]["tools"][0]["function"]["name"] == "greeting"
    assert service.asked[1]["messages"][2]["content"] == "Good day, everybody"


def test_a_stream_that_breaks_off_ends_in_the_clients_own_error_and_keeps_what_was_recorded() -> None:
    first = chat(None, ("c1", "get_order", {"order_id": "W1"}))
    with Service([first, chat_chunks("It is", breaks_off=True)]) as service, client_of(service) as client:
        stored: list[Any] = []
        with pytest.raises((APIError, APIConnectionError)):
            _solve_streaming(client, recording(greeting(), store=stored.append))
    (trajectory,) = stored
    assert (trajectory.success, [step.function for step in trajectory.steps]) == (False, ["desk.get_order"])


def _solve_streaming(client: OpenAI, run: Recording) -> None:
    with run:
        create: Any = run.client(client, offer=True).chat.completions.create
        reply = create(model="m", messages=START).choices[0].message
        assert reply.tool_calls
        for _ in create(model="m", messages=[*START, reply, answered(reply.tool_calls[0])], stream=True):
            pass


def test_an_outage_of_the_sandbox_is_an_answer_to_the_model_and_no_step() -> None:
    with Service([chat(None, ("c1", "greeting", {})), chat("then not")]) as service, client_of(service) as client:
        run = recording(out_of_order())
        told, _ = solve(run.client(client, offer=True))
    assert (told, run.steps) == ("then not", ())
    said = service.asked[1]["messages"][2]["content"]
    assert said == "greeting is out of order (the engine does not answer); do without it"


def test_a_model_that_calls_our_tool_for_ever_is_asked_without_it_in_the_end() -> None:
    def answer(request: Any) -> Answer:
        offered = any(tool["function"]["name"] == "greeting" for tool in request["tools"])
        return chat(None, ("c1", "greeting", {})) if offered else chat("enough")

    with Service(answer) as service, client_of(service) as client:
        run = recording(greeting())
        told, _ = solve(run.client(client, offer=True))
    assert (told, len(run.steps), len(service.asked)) == ("enough", 8, 9)


def test_no_request_fails_by_what_the_recorder_cannot_read() -> None:
    odd: Any = {"role": "user", "content": [{"type": "input_audio", "input_audio": {"gain": 0.5}}], "seen": {1: 2}}
    stranger: Any = {"role": "critic", "content": {"score": 1}, "tool_calls": "none"}
    with Service([chat("ok")]) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).chat.completions.create
        reply = create(model="m", messages=(message for message in [odd, stranger]))
    assert reply.choices[0].message.content == "ok"
    assert [message["role"] for message in service.asked[0]["messages"]] == ["user", "critic"]


def test_an_agents_own_tool_goes_before_one_of_ours_with_the_same_name() -> None:
    own = {"type": "function", "function": {"name": "greeting", "parameters": {"type": "object", "properties": {}}}}
    with Service([chat(None, ("c1", "greeting", {}))]) as service, client_of(service) as client:
        create: Any = recording(greeting()).client(client, offer=True).chat.completions.create
        reply = create(model="m", messages=START, tools=[own])
    assert reply.choices[0].message.tool_calls
    assert service.asked[0]["tools"] == [own]
