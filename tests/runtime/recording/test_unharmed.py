"""A program that is recorded gets the very values and exceptions that it would get otherwise."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.tools import tool

from nucleate.recording import recorded
from nucleate.recording.agents import recorded_agent
from nucleate.recording.langchain import LangChainRecorder
from tests.runtime.recording.desk import recording
from tests.runtime.recording.test_stored import MARKED, PLAIN, Hostile, Unasked

VALUES = [value for value, _ in [*PLAIN, *MARKED]]


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_a_function_is_given_and_gives_the_very_same_value(number: int) -> None:
    value = VALUES[number]
    seen: list[object] = []

    @recorded
    def echo(item: object) -> object:
        seen.append(item)
        return item

    with recording() as run:
        assert echo(value) is value
        assert seen[0] is value
        assert run.tool(lambda item: item)(value) is value
    assert len(run.steps) == 2


def test_the_very_exception_reaches_the_program_whatever_it_is() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    fault = Silent(Hostile())

    @recorded
    def fail() -> None:
        raise fault

    with recording() as run, pytest.raises(Silent) as caught:
        fail()
    assert caught.value is fault
    assert run.steps[0].error is not None
    assert run.steps[0].error.message == "Silent"


def test_generators_coroutines_and_asynchronous_generators_are_the_programs_own() -> None:
    @recorded
    def count() -> Iterator[int]:
        yield from (1, 2)

    @recorded
    async def later() -> object:
        return stream

    stream = io.StringIO()
    with recording() as run:
        assert [*count()] == [1, 2]
        assert asyncio.run(later()) is stream
    assert [step.result for step in run.steps] == [{"$value": "generator"}, {"$value": "_io.StringIO"}]


def test_what_the_program_changes_after_a_call_does_not_change_the_step() -> None:
    order = {"id": "W1"}

    @recorded
    def take(item: dict[str, str]) -> dict[str, str]:
        item["id"] = "W2"
        return item

    with recording() as run:
        take(order)
        order["id"] = "W3"
    assert (run.steps[0].arguments, run.steps[0].result) == ({"item": {"id": "W1"}}, {"id": "W2"})


def test_a_call_that_the_function_refuses_is_refused_by_the_function_itself() -> None:
    @recorded
    def take(item: int) -> int:
        return item

    @recorded_agent(recording_of, query="query")
    def agent(query: str) -> str:
        return query

    wrong: list[Callable[[], Any]] = [lambda: take(1, 2), lambda: agent(nothing=1)]  # type: ignore[call-arg]
    for call in wrong:
        with recording(), pytest.raises(TypeError, match=r"take\(\)|agent\(\)"):
            call()


def recording_of(_query: str) -> Any:
    """Return a recording at the desk."""
    return recording()


def test_an_agent_runs_unrecorded_where_no_recording_can_be_opened(caplog: pytest.LogCaptureFixture) -> None:
    def outage(_query: str) -> Any:
        raise OSError("gone")

    @recorded_agent(outage, query="query")
    def agent(query: object, *, times: int = 1) -> tuple[object, int]:
        return query, times

    asked = Hostile()
    with caplog.at_level(logging.WARNING, "nucleate.recording"):
        assert agent("x", times=2) == ("x", 2)
        assert agent("y") == ("y", 1)
        assert agent(asked)[0] is asked
    assert [record.getMessage() for record in caplog.records] == [
        "a task of agent is not recorded (OSError: gone); the program is not affected",
        "a task of agent is not recorded (RuntimeError: looked at); the program is not affected",
    ]


def test_a_framework_whose_tools_give_odd_values_goes_on() -> None:
    @tool
    def look(item: str) -> Any:
        """Look."""
        return Unasked()

    with recording() as run:
        config: Any = {"callbacks": [LangChainRecorder()]}
        assert type(look.invoke({"item": "\ud800"}, config=config)) is Unasked
    assert run.steps[0].arguments == {"item": "\ufffd"}


def test_how_a_task_ended_is_left_out_where_it_says_nothing() -> None:
    run = recording()
    run.finish(success=True, reward=float("nan"))
    assert (run.trajectory().success, run.trajectory().reward) == (True, None)
