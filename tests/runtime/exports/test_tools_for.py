"""`Runtime.tools_for` in a provider's form: chosen for a query, closed, and called in the environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nucleate import InputInvalid, Runtime, Settings
from nucleate_sandbox import Call, RecordedEnvironment
from tests.codifier.repository.files import FUNCTIONS, OFFERS, search
from tests.doubles import InProcessSandbox
from tests.runtime.exports.shop_library import filled


def test_chosen_tools_are_defined_called_and_counted(tmp_path: Path) -> None:
    found = search("lamps")
    calls = [
        Call(function="shop.search", arguments={"category": "lamps"}, result=found["result"]),
        Call(
            function="shop.order",
            arguments={"sku": min(OFFERS["lamps"], key=lambda offer: offer[1])[0]},
            result={"order_id": "O-1"},
        ),
    ]
    shop = RecordedEnvironment("shop", FUNCTIONS, calls)
    settings = Settings(database=str(tmp_path / "nucleate.db"), worker="off")
    with Runtime(shop, settings=settings, sandbox=InProcessSandbox()) as runtime:
        filled(tmp_path, runtime)
        tools = runtime.tools_for("buy the cheapest lamp", format="openai")
        assert tools.names == ("buy_cheapest", "cheapest")
        made = {"id": "c1", "function": {"name": "buy_cheapest", "arguments": json.dumps({"category": "lamps"})}}
        assert tools.answer([made]) == [{"role": "tool", "tool_call_id": "c1", "content": "O-1"}]
        assert runtime.library.tool("buy_cheapest", "shop").uses == 1
        assert [tool.name for tool in runtime.tools_for("buy", format="langchain")] == ["buy_cheapest", "cheapest"]
        with pytest.raises(InputInvalid, match="the format 'yaml' is unknown"):
            runtime.tools_for("buy", format="yaml")  # type: ignore[call-overload]
