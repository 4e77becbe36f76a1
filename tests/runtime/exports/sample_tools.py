"""Two small tools that run in the embedded sandbox, as an agent's framework would be given them."""

from __future__ import annotations

from nucleate.tools import CallableTool
from nucleate_sandbox import JsonObject, Module, Outcome, Sandbox
from nucleate_tool_library import Signature, ToolVersion, read_signature

OFFERS = '''
from typing import Literal

def cheap_offers(category: str, *, limit: int = 2, order: Literal["price", "name"] = "price") -> list:
    """List the cheap offers of a category.

    Args:
        category: What kind of thing.
        limit: How many at most.
    """
    if category == "moon":
        raise LookupError("no category 'moon'; there are lamps and chairs")
    return [{"sku": f"{category}-{number}", "order": order} for number in range(limit)]
'''
GREETING = '''
def greeting(name: str | None = None) -> str:
    """Greet somebody."""
    return f"Good day, {name or 'everybody'}"
'''


def version(name: str, source: str) -> ToolVersion:
    return ToolVersion(name=name, scope="shop", source=source, signature=read_signature(source, name))


def broken(name: str = "broken") -> ToolVersion:
    """Return a version whose stored schema is none."""
    text = f"def {name}(a) -> int"
    signature = Signature(name=name, text=text, doc="", parameters={"type": "objekt"}, returns={})
    return ToolVersion(name=name, scope="shop", source=f"{text}: ...", signature=signature)


def tools(sandbox: Sandbox, *more: ToolVersion) -> list[CallableTool]:
    """Return the tools bound to a sandbox, dependencies and order as a runtime would give them."""

    def run(chosen: ToolVersion, arguments: JsonObject) -> Outcome:
        with sandbox.open() as session:
            return session.call(Module(name=chosen.name, source=chosen.source), chosen.name, arguments)

    own = (version("greeting", GREETING), version("cheap_offers", OFFERS))
    return [CallableTool(item, run) for item in (*own, *more)]
