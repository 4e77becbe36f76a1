"""Each framework's own objects, called by the framework itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from smolagents import CodeAgent, Model, ToolCallingAgent
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, get_tool_json_schema
from smolagents.tools import validate_tool_arguments

from nucleate.exports.frameworks.smolagents_tools import inputs
from nucleate.exports.offering import offered
from nucleate_sandbox import MontySandbox
from tests.runtime.exports.sample_tools import tools
from tests.runtime.exports.signatures import ALL


def named(sandbox: MontySandbox, form: str) -> dict[str, Any]:
    objects: list[Any] = [*offered(tools(sandbox), form)]
    return {tool.name: tool for tool in objects}


def test_langchain_calls_the_tool_that_its_model_chose(monty_sandbox: MontySandbox) -> None:
    call = {"name": "cheap_offers", "args": {"category": "lamps", "limit": 1}, "id": "1", "type": "tool_call"}
    model = FakeMessagesListChatModel(responses=[AIMessage(content="", tool_calls=[call])])
    chosen = model.invoke("Cheap lamps?")
    assert isinstance(chosen, AIMessage)
    found = named(monty_sandbox, "langchain")
    message = found[chosen.tool_calls[0]["name"]].invoke(chosen.tool_calls[0])
    assert isinstance(message, ToolMessage)
    assert (message.status, json.loads(str(message.content))) == ("success", [{"sku": "lamps-0", "order": "price"}])
    assert asyncio.run(found["greeting"].ainvoke({"name": "Ada"})) == "Good day, Ada"


def test_langchain_gives_errors_to_the_model(monty_sandbox: MontySandbox) -> None:
    found = named(monty_sandbox, "langchain")
    call = {"name": "cheap_offers", "args": {"category": "moon"}, "id": "1", "type": "tool_call"}
    failed = found["cheap_offers"].invoke(call)
    assert (failed.status, failed.content) == ("error", "LookupError: no category 'moon'; there are lamps and chairs")
    wrong = found["cheap_offers"].invoke({**call, "args": {"limit": "x"}})
    assert wrong.status == "error"
    assert "InvalidArguments: 'category' is missing; limit: 'x' is not of type 'integer'" in wrong.content


def test_langchain_tells_the_provider_the_whole_schema(monty_sandbox: MontySandbox) -> None:
    told = convert_to_openai_tool(named(monty_sandbox, "langchain")["cheap_offers"])["function"]
    assert told["description"] == "List the cheap offers of a category."
    assert told["parameters"]["properties"]["order"] == {
        "type": "string",
        "enum": ["price", "name"],
        "default": "price",
    }
    assert told["parameters"]["required"] == ["category"]


class Scripted(Model):  # type: ignore[misc]
    """A smolagents model that calls what it is told to, and keeps what it was shown."""

    def __init__(self, *replies: ChatMessage) -> None:
        super().__init__(model_id="scripted")
        self.replies = list(replies)
        self.shown: list[str] = []

    def generate(self, messages: Any, **options: Any) -> ChatMessage:
        self.shown.append(str(messages[-1]))
        return self.replies.pop(0)


def calling(name: str, **arguments: Any) -> ChatMessage:
    function = ChatMessageToolCallFunction(name=name, arguments=arguments)
    return ChatMessage(role="assistant", content="", tool_calls=[ChatMessageToolCall(function, "1", "function")])


def test_a_smolagents_agent_calls_the_tool_and_mends_its_arguments(monty_sandbox: MontySandbox) -> None:
    model = Scripted(
        calling("cheap_offers", category="moon"),
        calling("cheap_offers", category="lamps", limit=None),
        calling("final_answer", answer="done"),
    )
    agent = ToolCallingAgent(tools=list(named(monty_sandbox, "smolagents").values()), model=model, verbosity_level=0)
    assert agent.run("Cheap lamps?") == "done"
    assert "LookupError: no category 'moon'; there are lamps and chairs" in model.shown[1]
    assert "lamps-1" in model.shown[2]


def test_a_smolagents_code_agent_calls_it_from_its_code(monty_sandbox: MontySandbox) -> None:
    code = "<code>\nfinal_answer(greeting(name='Ada'))\n</code>"
    model = Scripted(ChatMessage(role="assistant", content=code))
    agent = CodeAgent(tools=list(named(monty_sandbox, "smolagents").values()), model=model, verbosity_level=0)
    assert agent.run("Greet Ada") == "Good day, Ada"
    assert "def cheap_offers(category: string, limit: integer, order: string) -> array" in agent.system_prompt


def test_every_signature_has_inputs_that_smolagents_takes() -> None:
    for name, signature in ALL.items():
        made = inputs(signature.parameters)
        assert list(made) == list(signature.parameters["properties"] or {}), name  # type: ignore[arg-type]
        told = type("Told", (), {"name": name, "description": "", "inputs": made})
        assert get_tool_json_schema(told)["function"]["name"] == name
    key = type("Told", (), {"inputs": inputs(ALL["union_of_three_and_null"].parameters)})
    for value in (1, "a", None):
        validate_tool_arguments(key, {"key": value})


def test_pydantic_ai_calls_every_tool_that_its_test_model_tries(monty_sandbox: MontySandbox) -> None:
    found = named(monty_sandbox, "pydantic_ai")
    agent = Agent(TestModel(call_tools=["greeting", "cheap_offers"]), tools=list(found.values()))
    result = asyncio.run(agent.run("Try them"))
    assert json.loads(result.output)["greeting"].startswith("Good day, ")


def test_pydantic_ai_lets_the_model_mend_its_arguments(monty_sandbox: MontySandbox) -> None:
    seen: list[object] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        match len(messages):
            case 1:
                return ModelResponse(parts=[ToolCallPart("cheap_offers", {"categry": "lamps"})])
            case 3:
                seen.append(last.content if isinstance(last, RetryPromptPart) else last)
                return ModelResponse(parts=[ToolCallPart("cheap_offers", {"category": "moon"})])
            case 5:
                seen.append(last.content if isinstance(last, ToolReturnPart) else last)
                return ModelResponse(parts=[ToolCallPart("cheap_offers", {"category": "lamps", "limit": 1})])
        assert isinstance(last, ToolReturnPart)
        return ModelResponse(parts=[TextPart(json.dumps(last.content))])

    agent = Agent(FunctionModel(reply), tools=list(named(monty_sandbox, "pydantic_ai").values()))
    result = asyncio.run(agent.run("Cheap lamps?"))
    assert "'categry' is not an argument; did you mean 'category'?" in str(seen[0])
    assert "LookupError: no category 'moon'; there are lamps and chairs" in str(seen[1])
    assert json.loads(result.output) == [{"sku": "lamps-0", "order": "price"}]
