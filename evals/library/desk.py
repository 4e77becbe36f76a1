"""The smallest environment, and a tool over it, for measuring what lies between an agent and the sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject
from nucleate_tool_library import ToolVersion, read_signature

PRICE = FunctionSpec(
    name="desk.price",
    doc="Return the price of an item.",
    parameters={"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]},
    returns={"type": "number"},
    effect=Effect.READ,
)
SOURCE = '''def total_price(items: list[str]) -> float:
    """Return what some items cost together."""
    return sum(env.desk.price(item=item) for item in items)
'''
ARGUMENTS: JsonObject = {"items": ["pen", "ink"]}


class Desk:
    """Every item costs as much as its name is long."""

    def __init__(self, name: str = "desk") -> None:
        self.name = name
        self.functions: Mapping[str, FunctionSpec] = {PRICE.name: PRICE}

    def call(self, name: str, arguments: JsonObject) -> Json:  # noqa: ARG002 - there is one function
        return float(len(str(arguments["item"])))

    def fork(self) -> Desk:
        """Return another desk, which is the same."""
        return Desk(self.name)


def desk() -> Desk:
    """Return the environment, for a server in a process of its own."""
    return Desk()


def tool() -> ToolVersion:
    """Return the tool."""
    return ToolVersion(
        name="total_price",
        scope="desk",
        source=SOURCE,
        signature=read_signature(SOURCE, "total_price"),
        capabilities=(PRICE.name,),
    )
