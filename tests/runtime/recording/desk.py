"""A desk whose tools are plain functions, and a recording at it with a tool on offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nucleate.recording import FunctionEnvironment, Recording
from nucleate.tools import CallableTool
from nucleate_sandbox import JsonObject, Module, Outcome, SandboxError
from nucleate_text_memory import Step, StepError, Trajectory
from nucleate_tool_library import ToolVersion
from tests.doubles import InProcessSandbox
from tests.runtime.exports.sample_tools import GREETING, version

ORDERS = {"W1": {"status": "sent", "customer": "ada"}, "W2": {"status": "open", "customer": "bo"}}


class OrderNotFound(Exception):
    """There is no such order."""


def get_order(order_id: str) -> dict[str, str]:
    """Look up an order."""
    if order_id not in ORDERS:
        raise OrderNotFound(f"no order {order_id!r}")
    return ORDERS[order_id]


def refund(order_id: str, amount: float = 1.0) -> bool:
    """Refund an order."""
    return order_id in ORDERS and amount > 0


FUNCTIONS: Mapping[str, Callable[..., Any]] = {"get_order": get_order, "refund": refund}
ENVIRONMENT = FunctionEnvironment("desk", FUNCTIONS, effects={"get_order": "read"})


def greeting() -> CallableTool:
    """Return a tool that greets."""
    return CallableTool(version("greeting", GREETING), _run)


def out_of_order() -> CallableTool:
    """Return a tool whose sandbox is gone."""
    return CallableTool(version("greeting", GREETING), _outage)


def recording(*tools: CallableTool, store: Callable[[Trajectory], object] = id) -> Recording:
    """Return a recording at the desk."""
    return Recording("Where is W1?", task_id="t1", environment=ENVIRONMENT, tools=tools, store=store)


def done(function: str, result: Any, **arguments: Any) -> Step:
    """Return a step that succeeded."""
    return Step(function=function, arguments=arguments, result=result)


def failed(function: str, message: str, kind: str = "EnvironmentError", **arguments: Any) -> Step:
    """Return a step that failed."""
    return Step(function=function, arguments=arguments, error=StepError(kind=kind, message=message))


def _run(chosen: ToolVersion, arguments: JsonObject) -> Outcome:
    with InProcessSandbox().open() as session:
        return session.call(Module(name=chosen.name, source=chosen.source), chosen.name, arguments)


def _outage(_chosen: ToolVersion, _arguments: JsonObject) -> Outcome:
    raise SandboxError("the engine does not answer")
