"""Functions that change under the tools that call them: marked before their next call, with all that calls them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from nucleate.environments import effect
from nucleate.environments.schema_hashes import changed, schema_hash, told
from nucleate.errors import ToolSuspect
from nucleate_sandbox import Effect, FunctionSpec, JsonObject, RecordedEnvironment
from nucleate_tool_library import State, ToolVersion
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve, try_out


@dataclass
class Renamed:
    """The same stock room, whose price is asked for by another name."""

    @effect("read")
    def price(self, thing: str) -> dict[str, float]:
        """Return the price of a thing.

        Args:
            thing: The thing's name.
        """
        return {"price": world.PRICES[thing]}


def chain(length: int) -> list[ToolVersion]:
    """Return tools of which each calls the one before; the first calls the environment."""
    made = [world.OLD]
    for number in range(1, length):
        body = f"{made[-1].name}(item=item) + 1"
        version = world.make(f"more_{number}", body, reaches=())
        made.append(replace(version, dependencies=(made[-1].id,)))
    return made


def test_every_tool_that_reaches_a_changed_function_is_marked_before_its_next_call(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        for version in chain(5):
            serve(opened, version)
        serve(opened, world.make("take", "env.stock.reserve(item=item, count=1)", reaches=("stock.reserve",)))
        with pytest.raises(ToolSuspect, match="'more_4' is suspect: calls 'more_3', which is suspect"):
            opened.call("more_4", {"item": "nut"}, {"stock": Renamed()})
        states = {tool.name: tool.state for tool in opened.library.tools()}
        assert states == {**dict.fromkeys(["price_of", "more_1", "more_2", "more_3", "more_4", "take"], State.SUSPECT)}
        why = opened.library.history("price_of")[-1].why
        assert why == "stock.price lost its parameter 'item', has a new parameter 'thing'"
        assert opened.library.history("take")[-1].why == "stock.reserve is gone"


def test_words_that_only_explain_are_no_change(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        functions = opened.scopes.view("stock").functions
        before = functions["stock.price"]
        properties: JsonObject = {"item": {"type": "string", "description": "Another explanation."}}
        after = replace(before, doc="Other words.", parameters={**before.parameters, "properties": properties})
        assert changed(opened.library.tool("price_of").version.schemas, {"stock.price": after}) == []


def test_a_parameter_called_title_or_description_is_a_name_and_counts() -> None:
    one = FunctionSpec(name="a.b", parameters={"type": "object", "properties": {"title": {"type": "string"}}})
    none = FunctionSpec(name="a.b", parameters={"type": "object", "properties": {}})
    assert schema_hash(one) != schema_hash(none)
    assert told("a.b", one, none) == "a.b lost its parameter 'title'"


def test_every_kind_of_change_is_told() -> None:
    old = FunctionSpec(
        name="a.b", parameters={"type": "object", "properties": {"n": {"type": "integer"}}}, effect=Effect.READ
    )
    typed = replace(old, parameters={"type": "object", "properties": {"n": {"type": "string"}}})
    required = replace(old, parameters={**old.parameters, "required": ["n"]})
    assert told("a.b", old, typed) == "a.b takes another 'n'"
    assert told("a.b", old, required) == "a.b requires other parameters"
    assert told("a.b", old, replace(old, returns={"type": "string"})) == "a.b returns something else"
    assert told("a.b", old, replace(old, effect=Effect.WRITE)) == "a.b was read and is write"
    assert told("a.b", old, None) == "a.b is gone"
    assert told("a.b", None, old) == "a.b changed"


def test_a_canary_whose_function_changed_is_withdrawn(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        opened.tools_for("the price", {"stock": Renamed()})
        assert life(opened)[2:] == [
            "2 canary → suspect, drift",
            "2 suspect → archived, drift",
            "1 active → suspect, drift",
        ]


def test_a_pinned_tool_stays_as_it_is(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        for version in chain(2):
            serve(opened, version)
        opened.library.pin("price_of", by="ada", why="mine")
        opened.tools_for("the price", {"stock": Renamed()})
        assert [tool.state for tool in opened.library.tools()] == [State.ACTIVE, State.ACTIVE]


def test_a_recording_is_no_drift(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.tools_for("the price", RecordedEnvironment("stock", {}, []))
        assert opened.library.tool("price_of").state is State.ACTIVE


def test_another_process_sees_what_was_marked_and_marks_what_was_not(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.scopes.remember("stock", {"stock.price": FunctionSpec(name="stock.price")})  # nobody looked
        with runtime(tmp_path, {"stock": Renamed()}, worker="off") as other:
            assert other.library.tool("price_of").state is State.SUSPECT
        with pytest.raises(ToolSuspect):
            opened.call("price_of", {"item": "nut"})


def test_who_overrides_a_drift_accepts_it_for_later_processes_too(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
    with runtime(tmp_path, {"stock": Renamed()}, worker="off") as opened:
        assert opened.library.tool("price_of").state is State.SUSPECT
        opened.releases.promote("price_of", by="ada", why="I know what changed")
    with runtime(tmp_path, {"stock": Renamed()}, worker="off") as opened:
        assert opened.library.tool("price_of").state is State.ACTIVE


def test_a_function_that_comes_back_as_it_was_is_another_drift(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.attach({"stock": Renamed()})
        opened.releases.promote("price_of", by="ada", why="I know what changed")
        opened.attach({"stock": world.Stock()})
        assert opened.library.history("price_of")[-1].why == (
            "stock.price lost its parameter 'thing', has a new parameter 'item'"
        )
