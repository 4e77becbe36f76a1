"""LangChain, pydantic-ai and smolagents record what their tools do, each by its own hooks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException, tool
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from smolagents import CodeAgent, Model, Tool, ToolCallingAgent
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction

from nucleate.recording.langchain import LangChainRecorder
from nucleate.recording.pydantic_ai import PydanticAiRecorder
from nucleate.recording.smolagents import recorded_agent
from tests.runtime.recording.desk import FUNCTIONS, done, failed, greeting, recording

SENT = {"status": "sent", "customer": "ada"}


@tool
def get_order(order_id: str) -> str:
    """Look up an order."""
    if order_id == "W9":
        raise ToolException("no order 'W9'")
    return json.dumps(FUNCTIONS["get_order"](order_id))


def test_langchain_tools_become_steps_with_their_errors() -> None:
    run = recording()
    config: Any = {"callbacks": [LangChainRecorder(run)]}
    call = {"name": "get_order", "args": {"order_id": "W1"}, "id": "c1", "type": "tool_call"}
    message = get_order.invoke(call, config=config)
    assert isinstance(message, ToolMessage)
    with pytest.raises(ToolException, match="no order 'W9'"):
        get_order.invoke({"order_id": "W9"}, config=config)
    assert run.steps == (
        done("desk.get_order", SENT, order_id="W1"),
        failed("desk.get_order", "no order 'W9'", kind="ToolException", order_id="W9"),
    )


def test_langchain_tools_that_run_at_once_keep_the_order_in_which_they_began() -> None:
    @tool
    async def refund(order_id: str) -> bool:
        """Refund an order."""
        await first.wait() if order_id == "W1" else first.set()
        return True

    async def main() -> None:
        with recording() as run:
            config: Any = {"callbacks": [LangChainRecorder()]}
            await asyncio.gather(*(refund.ainvoke({"order_id": name}, config=config) for name in ("W1", "W2")))
        assert [step.arguments["order_id"] for step in run.steps] == ["W1", "W2"]

    first = asyncio.Event()
    asyncio.run(main())


def test_outside_of_a_recording_a_handler_does_nothing() -> None:
    handler = LangChainRecorder()
    assert get_order.invoke({"order_id": "W1"}, config={"callbacks": [handler]}) == json.dumps(SENT)


def test_pydantic_ai_tools_become_steps() -> None:
    agent = Agent(TestModel(), tools=[FUNCTIONS["refund"]], capabilities=[PydanticAiRecorder()])
    with recording() as run:
        asyncio.run(agent.run("Refund it."))
    assert run.steps == (done("desk.refund", False, order_id="a", amount=1.0),)


def test_pydantic_ai_retries_and_refused_arguments_are_errors() -> None:
    def order(order_id: str) -> str:
        if order_id == "W9":
            raise ModelRetry("no order 'W9'; try W1")
        return "sent"

    asked: list[dict[str, Any]] = [{"order_id": "W9"}, {"order": 1}, {"order_id": "W1"}]

    def model(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        part = ToolCallPart("order", asked.pop(0)) if asked else TextPart("sent")
        return ModelResponse(parts=[part])

    run = recording()
    agent = Agent(FunctionModel(model), tools=[order], capabilities=[PydanticAiRecorder(run)], retries=3)
    assert asyncio.run(agent.run("Where is it?")).output == "sent"
    first, second, third = run.steps
    assert first == failed("desk.order", "no order 'W9'; try W1", kind="ModelRetry", order_id="W9")
    assert second.arguments == {"order": 1}
    assert second.error is not None
    assert "order_id" in second.error.message
    assert third == done("desk.order", "sent", order_id="W1")


def test_an_offered_tool_is_recorded_once_by_its_bare_name() -> None:
    run = recording(greeting())
    tools: Any = run.offered("pydantic_ai")
    agent = Agent(TestModel(), tools=tools, capabilities=[PydanticAiRecorder(run)])
    asyncio.run(agent.run("Greet."))
    assert [step.function for step in run.steps] == ["greeting"]


class Order(Tool):  # type: ignore[misc]
    """A tool as people write it."""

    name = "get_order"
    description = "Look up an order."
    inputs = {"order_id": {"type": "string", "description": "which"}}  # noqa: RUF012 - the framework's form
    output_type = "object"

    def forward(self, order_id: str) -> Any:
        return FUNCTIONS["get_order"](order_id)


class Scripted(Model):  # type: ignore[misc]
    """A model that says what it is told to."""

    def __init__(self, *replies: ChatMessage) -> None:
        super().__init__(model_id="scripted")
        self.replies = list(replies)

    def generate(self, messages: Any, **options: Any) -> ChatMessage:
        return self.replies.pop(0)


def calling(*calls: tuple[str, dict[str, Any]]) -> ChatMessage:
    made = [
        ChatMessageToolCall(ChatMessageToolCallFunction(name=name, arguments=given), str(number), "function")
        for number, (name, given) in enumerate(calls)
    ]
    return ChatMessage(role="assistant", content="", tool_calls=made)


def test_smolagents_tools_become_steps_also_in_parallel_and_with_errors() -> None:
    both = calling(("get_order", {"order_id": "W1"}), ("get_order", {"order_id": "W2"}))
    model = Scripted(both, calling(("get_order", {"order_id": "W9"})), calling(("final_answer", {"answer": "sent"})))
    agent = ToolCallingAgent(tools=[Order()], model=model, max_tool_threads=1, verbosity_level=0)
    run = recording()
    with recorded_agent(agent, run):
        assert agent.run("Where is W1?") == "sent"
    assert run.steps == (
        done("desk.get_order", SENT, order_id="W1"),
        done("desk.get_order", {"status": "open", "customer": "bo"}, order_id="W2"),
        failed("desk.get_order", "no order 'W9'", kind="OrderNotFound", order_id="W9"),
    )
    assert type(agent.tools["get_order"]) is Order


def test_smolagents_tools_that_code_calls_become_steps() -> None:
    code = "<code>\nfinal_answer(get_order('W1')['status'] + get_order(order_id='W2')['status'])\n</code>"
    agent = CodeAgent(tools=[Order()], model=Scripted(ChatMessage(role="assistant", content=code)), verbosity_level=0)
    with recording() as run, recorded_agent(agent):
        assert agent.run("Where are they?") == "sentopen"
    assert [step.arguments["order_id"] for step in run.steps] == ["W1", "W2"]
