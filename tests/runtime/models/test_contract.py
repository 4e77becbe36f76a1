"""The contract of a ChatModel, run by the scripted model, the replayer, and LiteLLM against a local server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from pydantic import BaseModel

from nucleate.models import Capped, LiteLLMModel, ModelPatience, Recorder, Replayer
from nucleate_codifier.chat import (
    ChatModel,
    Malformed,
    Message,
    ModelUnavailable,
    Reply,
    ReplyEnding,
    Role,
    ScriptedModel,
)
from nucleate_codifier.replies.reading import parse_reply
from tests.model_server import Answer, ModelServer

NAME = "openai/gpt-4o-mini"
KINDS = ("scripted", "replayer", "litellm", "capped")
HELLO = [Message(role=Role.SYSTEM, content="Be brief."), Message(role=Role.USER, content="Hello?")]
ANSWERS = {
    "text": Answer(text="Hello."),
    "json": Answer(text='{"colour": "red"}'),
    "other": Answer(text='{"color": 1}'),
    "none": Answer(text="red"),
    "cut": Answer(text='{"colo', finish="length"),
    "refusal": Answer(text=None, refusal="I will not."),
    "filtered": Answer(text=None, finish="content_filter"),
    "outage": Answer(status=401, error="no key"),
}
Make: TypeAlias = Callable[[str], ChatModel]


class Paint(BaseModel):
    """A shape to ask for."""

    colour: str


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Return what makes a model of one kind that gives one answer."""
    with ExitStack() as stack:

        def lite(answer: str) -> ChatModel:
            server = stack.enter_context(ModelServer([ANSWERS[answer]]))
            return LiteLLMModel(NAME, url=server.url, key="none", patience=ModelPatience(retries=0))

        def replayer(answer: str) -> ChatModel:
            path = tmp_path / "exchanges.jsonl"
            if answer != "outage":
                for schema in (None, Paint):
                    Recorder(scripted(answer), path).complete(HELLO, schema=schema)
            return Replayer(path, name=NAME)

        def capped(answer: str) -> ChatModel:
            return Capped(scripted(answer), dollars=1.0)

        yield {"scripted": scripted, "replayer": replayer, "litellm": lite, "capped": capped}[request.param]


def scripted(answer: str) -> ChatModel:
    """Return a scripted model that gives one answer, as the provider would."""
    given = ANSWERS[answer]
    if given.status != 200:
        return ScriptedModel([ModelUnavailable(given.error)], name=NAME)
    ending = ReplyEnding.REFUSAL if given.refusal or given.finish == "content_filter" else ReplyEnding.COMPLETE
    reply = Reply(
        text=given.refusal or given.text or "",
        ending=ReplyEnding.LENGTH if given.finish == "length" else ending,
        model=NAME,
        prompt_tokens=10,
        completion_tokens=5,
        dollars=4.5e-06,
    )
    return ScriptedModel([reply], name=NAME)


def test_a_reply_says_what_it_took(make: Make) -> None:
    model = make("text")
    reply = model.complete(HELLO)
    assert reply == Reply(text="Hello.", model=NAME, prompt_tokens=10, completion_tokens=5, dollars=4.5e-06)
    assert (reply.tokens, model.name) == (15, NAME)


def test_a_reply_of_the_shape_that_was_asked_for_is_a_value(make: Make) -> None:
    assert parse_reply(make("json").complete(HELLO, schema=Paint), Paint) == Paint(colour="red")


@pytest.mark.parametrize(
    ("answer", "ending", "fault"),
    [
        ("other", ReplyEnding.COMPLETE, "colour: Field required"),
        ("none", ReplyEnding.COMPLETE, "the reply holds no JSON object"),
        ("cut", ReplyEnding.LENGTH, "cut off at the output limit"),
        ("refusal", ReplyEnding.REFUSAL, "the reply was a refusal"),
        ("filtered", ReplyEnding.REFUSAL, "the reply was a refusal"),
    ],
)
def test_a_reply_of_another_shape_is_a_reply_that_says_what_is_wrong(
    make: Make, answer: str, ending: ReplyEnding, fault: str
) -> None:
    reply = make(answer).complete(HELLO, schema=Paint)
    assert reply.ending is ending
    with pytest.raises(Malformed, match=fault):
        parse_reply(reply, Paint)


def test_no_reply_is_an_error_and_no_value(make: Make) -> None:
    with pytest.raises(ModelUnavailable):
        make("outage").complete(HELLO, schema=Paint)
