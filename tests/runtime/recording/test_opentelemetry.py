"""Traces of the real SDK become trajectories when their root ends, and never disturb whoever made them."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode, Tracer, use_span

from nucleate.recording.opentelemetry import TrajectorySpans
from nucleate_text_memory import TaskConflict, Trajectory
from tests.runtime.recording.desk import done, failed


def traced(processor: TrajectorySpans, name: str = "agents") -> Tracer:
    provider = TracerProvider(resource=Resource({"service.name": "desk"}))
    provider.add_span_processor(processor)
    return provider.get_tracer(name)


def tool(tracer: Tracer, name: str, arguments: Any, result: Any = None, error: str = "") -> None:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    with tracer.start_as_current_span(f"execute_tool {name}", attributes=attributes) as span:
        span.set_attribute("gen_ai.tool.call.arguments", json.dumps(arguments))
        if error:
            span.set_attribute("error.type", "OrderNotFound")
            span.set_status(Status(StatusCode.ERROR, error))
        else:
            span.set_attribute("gen_ai.tool.call.result", json.dumps(result))


def asked(words: str) -> dict[str, str]:
    messages = [{"role": "user", "parts": [{"type": "text", "content": words}]}]
    named = {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "c1"}
    return {**named, "gen_ai.input.messages": json.dumps(messages)}


@pytest.fixture
def learned() -> list[Trajectory]:
    return []


@pytest.fixture
def tracer(learned: list[Trajectory]) -> Iterator[Tracer]:
    processor = TrajectorySpans(learned.append)
    yield traced(processor)
    processor.shutdown()


def test_a_trace_becomes_a_task_when_its_root_ends(tracer: Tracer, learned: list[Trajectory]) -> None:
    with tracer.start_as_current_span("invoke_agent desk", attributes=asked("Where is W1?")):
        tool(tracer, "get_order", {"order_id": "W1"}, {"status": "sent"})
        with tracer.start_as_current_span("inner"):
            tool(tracer, "get_order", {"order_id": "W9"}, error="no order 'W9'")
        assert learned == []
    (task,) = learned
    assert (task.query, task.environment) == ("Where is W1?", "desk")
    assert task.steps == (
        done("desk.get_order", {"status": "sent"}, order_id="W1"),
        failed("desk.get_order", "no order 'W9'", kind="OrderNotFound", order_id="W9"),
    )
    assert task.meta["gen_ai.conversation.id"] == "c1"


def test_traces_without_tools_teach_nothing(tracer: Tracer, learned: list[Trajectory]) -> None:
    with tracer.start_as_current_span("GET /"):
        pass
    assert learned == []


def test_threads_trace_at_once_and_each_keeps_its_own(tracer: Tracer, learned: list[Trajectory]) -> None:
    def work(name: str) -> None:
        with tracer.start_as_current_span("invoke_agent", attributes=asked(name)):
            together.wait()
            tool(tracer, "get_order", {"order_id": name})

    together = threading.Barrier(4)
    threads = [threading.Thread(target=work, args=(f"W{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted((task.query, task.steps[0].arguments["order_id"]) for task in learned) == [
        (f"W{number}", f"W{number}") for number in range(4)
    ]


def test_our_own_spans_are_passed_over(learned: list[Trajectory]) -> None:
    tracer = traced(TrajectorySpans(learned.append), name="nucleate")
    tool(tracer, "get_order", {})
    assert learned == []


def test_only_so_many_unfinished_traces_are_held(learned: list[Trajectory]) -> None:
    tracer = traced(TrajectorySpans(learned.append, environment="shop", most=2))
    roots = [tracer.start_span(f"root {number}") for number in range(3)]
    for root in roots:
        with use_span(root):
            tool(tracer, "get_order", {"n": root is roots[0]})
    for root in roots:
        root.end()
    assert [task.steps[0].function for task in learned] == ["shop.get_order"] * 2


def test_a_task_that_cannot_be_stored_ends_no_application(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(_task: Trajectory) -> None:
        raise TaskConflict("another trajectory is stored")

    tracer = traced(TrajectorySpans(refuse))
    with caplog.at_level(logging.WARNING):
        tool(tracer, "get_order", {})
    assert "a trace could not be learned from" in caplog.text
