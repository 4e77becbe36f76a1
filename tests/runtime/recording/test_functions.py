"""Plain functions are an environment, and functions of an agent's own record themselves."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from nucleate.errors import InputInvalid
from nucleate.recording import FunctionEnvironment, current, recorded
from nucleate.recording.agents import recorded_agent
from nucleate_sandbox import Effect, FunctionError
from tests.runtime.recording.desk import ENVIRONMENT, FUNCTIONS, done, failed, get_order, recording, refund

OPENAI = {
    "type": "function",
    "function": {"name": "get-order", "description": "Look.", "parameters": {"type": "object"}},
}
ANTHROPIC = {"name": "refund", "description": "Give back.", "input_schema": {"type": "object"}}
MCP = {"name": "shop.stat", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}


def test_functions_are_described_by_their_hints_and_called_with_checked_arguments() -> None:
    assert list(ENVIRONMENT.functions) == ["desk.get_order", "desk.refund"]
    spec = ENVIRONMENT.functions["desk.get_order"]
    assert (spec.doc, spec.effect, spec.parameters["required"]) == ("Look up an order.", Effect.READ, ["order_id"])
    assert ENVIRONMENT.call("desk.get_order", {"order_id": "W1"}) == {"status": "sent", "customer": "ada"}
    with pytest.raises(FunctionError, match="no order 'W9'") as raised:
        ENVIRONMENT.call("desk.get_order", {"order_id": "W9"})
    assert raised.value.kind == "OrderNotFound"
    with pytest.raises(FunctionError, match="'order_id' is missing"):
        ENVIRONMENT.call("desk.get_order", {})


def test_a_list_of_functions_will_do_and_names_may_have_namespaces() -> None:
    assert list(FunctionEnvironment("desk", [refund]).functions) == ["desk.refund"]
    named: dict[str, Any] = {"orders.get": get_order, "refund": refund}
    both = FunctionEnvironment("my desk", named)
    assert list(both.functions) == ["orders.get", "my_desk.refund"]


def test_definitions_with_a_dispatcher_are_an_environment_without_any_function() -> None:
    asked: list[Any] = []

    def dispatch(name: str, arguments: Any) -> Any:
        asked.append((name, arguments))
        return {"ok": name == "shop.stat"}

    desk = FunctionEnvironment(
        "desk", tools=[OPENAI, ANTHROPIC, MCP], dispatch=dispatch, effects={"refund": "destructive"}
    )
    assert list(desk.functions) == ["desk.get_order", "desk.refund", "shop.stat"]
    assert desk.functions["desk.refund"].effect is Effect.DESTRUCTIVE
    assert desk.call("desk.get_order", {"id": 1}) == {"ok": False}
    assert desk.call("shop.stat", {}) == {"ok": True}
    assert asked == [("get-order", {"id": 1}), ("shop.stat", {})]


def test_definitions_describe_functions_that_are_called() -> None:
    desk = FunctionEnvironment("desk", FUNCTIONS, tools=[ANTHROPIC])
    assert (desk.functions["desk.refund"].doc, desk.functions["desk.refund"].returns) == (
        "Give back.",
        {"type": "boolean"},
    )
    assert desk.call("desk.refund", {"order_id": "W1"}) is True


def test_a_definition_that_nothing_serves_is_no_function_to_call() -> None:
    with pytest.raises(FunctionError, match="nothing serves it") as raised:
        FunctionEnvironment("desk", tools=[ANTHROPIC]).call("desk.refund", {})
    assert raised.value.kind == "NotServed"


def test_what_a_dispatcher_raises_has_its_class_as_kind() -> None:
    desk = FunctionEnvironment("desk", tools=[ANTHROPIC], dispatch=lambda _name, _arguments: 1 // 0)
    with pytest.raises(FunctionError, match="division or modulo by zero") as raised:
        desk.call("desk.refund", {})
    assert raised.value.kind == "ZeroDivisionError"


def test_plain_functions_have_no_copies_and_unknown_effects_are_errors() -> None:
    with pytest.raises(FunctionError, match="it has no copies"):
        ENVIRONMENT.fork()
    with pytest.raises(ValueError, match="effects names 'gone'"):
        FunctionEnvironment("desk", FUNCTIONS, effects={"gone": "read"})


def test_a_function_of_the_agents_own_is_recorded_and_stays_as_it_is() -> None:
    run = recording()
    look, give = run.tool(get_order), run.tool(refund)
    assert look("W1") == {"status": "sent", "customer": "ada"}
    assert give("W1", amount=2.0) is True
    with pytest.raises(Exception, match="no order 'W9'"):
        look(order_id="W9")
    assert look.__name__ == "get_order"
    assert run.steps == (
        done("desk.get_order", {"status": "sent", "customer": "ada"}, order_id="W1"),
        done("desk.refund", True, order_id="W1", amount=2.0),
        failed("desk.get_order", "no order 'W9'", kind="OrderNotFound", order_id="W9"),
    )


def test_functions_that_run_at_once_keep_the_order_in_which_they_began() -> None:
    @recorded
    async def look(number: int) -> int:
        await first.wait() if number == 1 else first.set()
        return number

    async def main() -> None:
        with recording() as run:
            assert current() is run
            assert [*await asyncio.gather(look(1), look(2))] == [1, 2]
        assert [step.result for step in run.steps] == [1, 2]
        assert await look(2) == 2
        assert len(run.steps) == 2

    first = asyncio.Event()
    asyncio.run(main())
    assert current() is None


def test_two_threads_record_at_once_and_neither_sees_the_other() -> None:
    look = recorded(get_order)
    found: dict[str, list[Any]] = {}

    def work(name: str) -> None:
        with recording() as run:
            for _ in range(50):
                look(name)
                together.wait()
        found[name] = [step.arguments["order_id"] for step in run.steps]

    together = threading.Barrier(2)
    threads = [threading.Thread(target=work, args=(name,)) for name in ("W1", "W2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"W1": ["W1"] * 50, "W2": ["W2"] * 50}


def test_a_recording_may_end_in_another_thread_than_it_began() -> None:
    stored: list[Any] = []
    run = recording(store=stored.append)
    began = threading.Thread(target=run.__enter__)
    began.start()
    began.join()
    run.tool(get_order)("W1")
    run.__exit__(None, None, None)
    assert len(stored[0].steps) == 1


def test_values_without_a_json_form_are_shown_by_their_text() -> None:
    run = recording()
    thing = run.tool(lambda value: {value}, name="get_order")
    thing(complex(1, 2))
    assert run.steps == (done("desk.get_order", ["1+2j"], value="1+2j"),)


def test_an_agent_that_is_a_function_is_a_task_at_each_call() -> None:
    stored: list[Any] = []

    def record(query: str) -> Any:
        run = recording(store=stored.append)
        run.query = query
        return run

    look = recorded(get_order)

    @recorded_agent(record, query=lambda number: f"Look at W{number}")
    def solve(number: int) -> Any:
        run = current()
        assert run is not None
        run.note(model="m")
        return look(f"W{number}")

    solve(1)
    with pytest.raises(Exception, match="no order 'W9'"):
        solve(9)
    assert [(task.query, task.success, len(task.steps), task.meta) for task in stored] == [
        ("Look at W1", None, 1, {"model": "m"}),
        ("Look at W9", False, 1, {"model": "m"}),
    ]


def test_an_asynchronous_agent_is_a_task_too_and_its_query_a_parameter() -> None:
    stored: list[Any] = []

    @recorded_agent(lambda _query: recording(store=stored.append), query="task")
    async def solve(task: str) -> str:
        recorded(get_order)("W1")
        return task.upper()

    assert asyncio.run(solve("hello")) == "HELLO"
    assert len(stored[0].steps) == 1


def test_an_agent_without_the_parameter_is_refused_at_once() -> None:
    with pytest.raises(InputInvalid, match="solve has no parameter 'query'; give `query=` one that it has: text"):

        @recorded_agent(lambda _query: recording())
        def solve(text: str) -> None: ...


def test_what_is_no_client_is_named() -> None:
    with pytest.raises(InputInvalid, match=r"builtins\.dict is no client of openai or anthropic"):
        recording().client({})
