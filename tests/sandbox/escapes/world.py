"""The environment that the programs of the corpus may call: it keeps account of what it was made to do."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, JsonObject

ITEM: JsonObject = {
    "type": "object",
    "properties": {"item": {"type": "string", "maxLength": 20}},
    "required": ["item"],
    "additionalProperties": False,
}
ANY: JsonObject = {"type": "object", "properties": {"data": {}}, "additionalProperties": False}
MANIFEST = ("shop.price", "shop.echo", "shop.fail")
SPECS = {"shop.price": ITEM, "shop.echo": ANY, "shop.fail": ITEM, "shop.pay": ITEM}


class World:
    """A shop; `shop.pay` is in it, but in no manifest."""

    def __init__(self) -> None:
        self.deeds: list[str] = []

    @property
    def name(self) -> str:
        return "shop"

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {name: FunctionSpec(name=name, parameters=schema) for name, schema in SPECS.items()}

    def call(self, name: str, arguments: JsonObject) -> Json:
        self.deeds.append(name)
        if name == "shop.fail":
            raise FunctionError("nothing is left", kind="SoldOut")
        return arguments.get("data") if name == "shop.echo" else 7

    def fork(self) -> Environment:
        return World()
