"""What an application with OpenTelemetry sees of us."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import ObjectEnvironment, Runtime, Settings, telemetry
from nucleate.models.traced import Traced
from nucleate_codifier.chat import Message, ModelUnavailable, Reply, Role, ScriptedModel
from tests.runtime.telemetry.seen import seeing


class Mailroom:
    """A mailroom."""

    def find(self, name: str) -> dict[str, str]:
        """Find a box."""
        return {"box": f"box-{name}"}

    def forward(self, box: str) -> dict[str, str]:
        """Forward what comes into a box."""
        return {"forwarded": box}


MESSAGES = [Message(role=Role.USER, content="my secret question")]
REPLY = Reply(text="my secret answer", prompt_tokens=7, completion_tokens=2, dollars=0.25)


TARGET = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o-mini", "gen_ai.provider.name": "openai"}
TAKEN = {
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.response.finish_reasons": ("complete",),
    "nucleate.cost.dollars": 0.25,
}
SAID = {
    "gen_ai.input.messages": '[{"role": "user", "content": "my secret question"}]',
    "gen_ai.output.messages": "my secret answer",
}


@pytest.mark.parametrize(("content", "said"), [(False, {}), (True, SAID)], ids=["by_default", "where_asked_for"])
def test_a_model_call_is_a_chat_span_that_says_what_was_said_only_where_asked_for(
    content: bool, said: dict[str, str]
) -> None:
    with seeing(content=content) as seen:
        Traced(ScriptedModel([REPLY], name="openai/gpt-4o-mini")).complete(MESSAGES)
    assert seen.spans() == [("chat gpt-4o-mini", {**TARGET, **TAKEN, **said})]


def test_tokens_are_counted_by_kind() -> None:
    with seeing() as seen:
        Traced(ScriptedModel([REPLY, REPLY], name="openai/gpt-4o-mini")).complete(MESSAGES)
    assert seen.sums()["gen_ai.client.token.usage"] == [
        ({**TARGET, "gen_ai.token.type": "input"}, 7),
        ({**TARGET, "gen_ai.token.type": "output"}, 2),
    ]


def test_an_outage_is_an_error_of_its_kind_and_goes_on() -> None:
    with seeing() as seen, pytest.raises(ModelUnavailable):
        Traced(ScriptedModel([], name="local")).complete(MESSAGES)
    (span,) = seen.finished()
    assert (span.name, (span.attributes or {})["error.type"]) == ("chat local", "ModelUnavailable")
    assert not span.status.is_ok
    assert not span.events


def test_spans_nest_and_are_named_by_operation_and_target() -> None:
    with (
        seeing() as seen,
        telemetry.span("invoke_agent", {telemetry.AGENT: "executor"}),
        telemetry.span("execute_tool", {telemetry.TOOL: "order_status"}) as noted,
    ):
        noted.failed("LimitExceeded")
    inner, outer = seen.finished()
    assert (outer.name, inner.name) == ("invoke_agent executor", "execute_tool order_status")
    assert (inner.parent, outer.parent) == (outer.get_span_context(), None)
    assert (outer.status.is_ok, inner.status.is_ok) == (True, False)


def test_learning_and_using_a_tool_can_be_followed(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "n.db"), sandbox="monty", allow_provisional=True, worker="inline")
    with seeing(content=True) as seen, Runtime(ObjectEnvironment("mail", Mailroom()), settings=settings) as runtime:
        for name in ("ada", "bo", "cy", "di", "ed"):
            with runtime.record(f"{name} moves") as run:
                post = run.env.mail.find(name=name)
                run.env.mail.forward(box=post["box"])
        (tool,) = runtime.library.tools()
        runtime.call(tool.version.name, {"name": "fay"})
    names = [name for name, _ in seen.spans()]
    assert names.count("reflect") == 5
    assert [name for name in names if name in ("admit", "codify")] == ["admit", "codify"]
    last, attributes = seen.spans()[-1]
    assert last == f"execute_tool {tool.version.name}"
    assert attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool.version.name,
        "gen_ai.tool.type": "function",
        "nucleate.tool.path": "api",
        "nucleate.tool.version": tool.version.id,
        "gen_ai.tool.call.arguments": '{"name":"fay"}',
        "gen_ai.tool.call.result": '{"forwarded":"box-fay"}',
    }
