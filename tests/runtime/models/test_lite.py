"""LiteLLM against a local server that misbehaves in every way a provider does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from nucleate.models import Capped, LiteLLMModel, ModelPatience
from nucleate.models.reply_schemas import strict
from nucleate_codifier.chat import CostCapReached, Message, ModelUnavailable, Reply, ReplyEnding, Role
from nucleate_codifier.model.actions import Turn
from tests.model_server import Answer, ModelServer

NAME = "openai/gpt-4o-mini"
HELLO = [Message(role=Role.USER, content="Hello?")]
OK = Answer(text="Hello.")


def asked(answers: Sequence[Answer], *, retries: int = 2, timeout: float = 30.0) -> tuple[Reply, list[float], int]:
    """Return the reply, the pauses that were made, and how many requests arrived."""
    pauses: list[float] = []
    with ModelServer(answers) as server:
        patience = ModelPatience(retries=retries, timeout=timeout)
        model = LiteLLMModel(NAME, url=server.url, key="none", patience=patience, sleep=pauses.append)
        reply = model.complete(HELLO)
        return reply, pauses, len(server.asked)


def test_a_rate_limit_is_waited_out_as_long_as_the_provider_wishes() -> None:
    limited = Answer(status=429, error="slow down", headers={"Retry-After": "7"})
    reply, pauses, requests = asked([limited, OK])
    assert (reply.text, pauses, requests) == ("Hello.", [7.0], 2)


def test_a_wish_to_wait_for_an_hour_is_not_followed() -> None:
    limited = Answer(status=429, error="slow down", headers={"Retry-After": "3600"})
    assert asked([limited, OK])[1] == [60.0]


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
def test_a_fault_of_the_provider_is_tried_again_after_growing_pauses(status: int) -> None:
    fault = Answer(status=status, error="oops")
    reply, (first, second), requests = asked([fault, fault, OK])
    assert (reply.text, requests) == ("Hello.", 3)
    assert 1.0 <= first <= 1.25
    assert 2.0 <= second <= 2.5


def test_a_response_that_is_no_json_is_tried_again() -> None:
    assert asked([Answer(raw=b"<html>busy</html>"), OK])[2] == 2


def test_a_call_that_takes_too_long_is_given_up_and_tried_again() -> None:
    reply, pauses, requests = asked([Answer(hangs=True), OK], timeout=0.5)
    assert (reply.text, len(pauses), requests) == ("Hello.", 1, 2)


def test_after_the_last_try_the_model_is_unavailable() -> None:
    with pytest.raises(
        ModelUnavailable, match=r"'openai/gpt-4o-mini' did not answer in 3 tries: .*oops.*try again later"
    ):
        asked([Answer(status=500, error="oops")] * 3)


@pytest.mark.parametrize(("status", "error"), [(400, "bad request"), (401, "bad key"), (404, "no such model")])
def test_a_fault_of_ours_is_not_tried_again(status: int, error: str) -> None:
    with pytest.raises(ModelUnavailable, match=f"cannot be asked: .*{error}.*correct the model's name, its key"):
        asked([Answer(status=status, error=error), OK])


def test_a_prompt_against_the_provider_s_policy_is_a_refusal() -> None:
    blocked = Answer(status=400, error="invalid_request_error: content_policy_violation")
    assert asked([blocked])[0].ending is ReplyEnding.REFUSAL


def test_an_unknown_provider_is_named_with_the_next_step() -> None:
    with pytest.raises(ModelUnavailable, match=r"'nonsense' cannot be asked: .*correct the model's name"):
        LiteLLMModel("nonsense").complete(HELLO)


def test_a_model_without_a_known_price_says_so() -> None:
    with ModelServer([OK]) as server:
        reply = LiteLLMModel("openai/my-own-model", url=server.url, key="none").complete(HELLO)
    assert (reply.tokens, reply.dollars) == (15, None)


def test_a_cap_reached_in_the_middle_ends_it_before_the_next_call() -> None:
    dear = Answer(text="Hello.", prompt_tokens=1_000_000)
    with ModelServer([dear, dear, dear]) as server:
        model = Capped(LiteLLMModel(NAME, url=server.url, key="none"), dollars=0.2)
        assert [model.complete(HELLO).text for _ in range(2)] == ["Hello.", "Hello."]
        with pytest.raises(CostCapReached, match=r"\$0.3000 are spent on 'openai/gpt-4o-mini', the cap is \$0.2"):
            model.complete(HELLO)
        assert len(server.asked) == 2


def test_a_cap_is_not_trusted_to_a_model_without_a_price() -> None:
    with ModelServer([OK]) as server:
        model = Capped(LiteLLMModel("openai/my-own-model", url=server.url, key="none"), dollars=1.0)
        with pytest.raises(CostCapReached, match="the price of 'openai/my-own-model' is not known"):
            model.complete(HELLO)


def test_the_shape_is_asked_for_as_strict_modes_take_it() -> None:
    with ModelServer([OK]) as server:
        LiteLLMModel(NAME, url=server.url, key="none").complete(HELLO, schema=Turn)
        (request,) = server.asked
    described = request["response_format"]["json_schema"]
    assert (described["name"], described["strict"]) == ("Turn", True)
    assert described["schema"]["required"] == ["thought", "action"]
    assert "anyOf" in described["schema"]["properties"]["action"]
    assert request["messages"] == [{"role": "user", "content": "Hello?"}]


def test_a_strict_schema_closes_objects_and_keeps_properties_that_are_called_like_keywords() -> None:
    loose = {"type": "object", "title": "X", "properties": {"title": {"const": "a", "title": "Title", "default": "a"}}}
    assert strict(loose) == {
        "type": "object",
        "properties": {"title": {"enum": ["a"]}},
        "additionalProperties": False,
        "required": ["title"],
    }


def test_importing_nucleate_does_not_import_litellm() -> None:
    code = "import sys, nucleate; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], check=False, timeout=60).returncode == 0


def test_patience_waits_no_longer_than_a_minute() -> None:
    assert ModelPatience().pause(30, None) == 60.0


def requested(name: str, answer: Answer = OK) -> tuple[dict[str, Any], Reply]:
    """Return what a model is asked for a Turn, and its reply."""
    with ModelServer([answer]) as server:
        reply = LiteLLMModel(name, url=server.url, key="none").complete(HELLO, schema=Turn)
        return server.asked[0], reply


def test_a_model_that_only_calls_functions_gives_its_reply_as_the_arguments_of_one() -> None:
    request, reply = requested("openai/gpt-3.5-turbo", Answer(text=None, calls=(("reply", '{"action": 1}'),)))
    assert "response_format" not in request
    assert request["tool_choice"] == {"type": "function", "function": {"name": "reply"}}
    assert request["tools"][0]["function"]["parameters"]["required"] == ["thought", "action"]
    assert reply.text == '{"action": 1}'


def test_a_model_that_nothing_is_known_of_is_asked_in_words_alone() -> None:
    request, _ = requested("openai/my-own-model")
    assert not {"response_format", "tools"} & set(request)


def test_a_call_that_the_provider_keeps_apart_stands_in_the_text() -> None:
    _, reply = requested("openai/my-own-model", Answer(text="Now.", calls=(("orders.get", '{"id": 1}'),)))
    assert reply.text == 'Now.\n<tool_call>{"name": "orders.get", "arguments": {"id": 1}}</tool_call>'


def test_thoughts_take_nothing_from_the_answer() -> None:
    limits = {name: requested(name)[0] for name in ("openai/gpt-4o-mini", "openai/o3-mini")}
    assert limits["openai/gpt-4o-mini"]["max_tokens"] == 8_192
    assert limits["openai/o3-mini"]["max_completion_tokens"] == 32_768
