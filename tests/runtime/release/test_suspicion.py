"""Tools in service that fall under suspicion: by errors, corrections, or what they rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nucleate import Runtime
from nucleate.errors import InputInvalid, ToolSuspect
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Draft, Kind
from nucleate_tool_library import State, ToolVersion
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve


def caller() -> ToolVersion:
    """Return a tool that calls the one in service."""
    version = world.make("price_more", "price_of(item=item) + 1", reaches=())
    return replace(version, dependencies=(world.OLD.id,))


def test_a_spike_of_errors_makes_a_tool_suspect_with_those_that_call_it(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        serve(opened, caller())
        for item in ("odd 1", "odd 2"):
            opened.call("price_of", {"item": item})
        opened.releases.settle()
        assert opened.library.tool("price_of").state is State.ACTIVE
        opened.call("price_of", {"item": "odd 3"})
        opened.releases.settle()
        assert life(opened)[-1] == "1 active → suspect, release rule"
        assert opened.library.history("price_more")[-1].why == "calls 'price_of', which is suspect"
        assert opened.jobs.keys() >= {"verify:stock/price_of:2", "verify:stock/price_more:2"}


def test_a_suspect_tool_is_not_called_and_says_why_and_what_next(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.releases.demote("price_of", to=State.SUSPECT, by="ada", why="prices look wrong")
        with pytest.raises(ToolSuspect) as caught:
            opened.call("price_of", {"item": "nut"})
        assert str(caught.value) == (
            "tool 'price_of' is suspect: prices look wrong; it is verified again by itself where its environment is "
            "attached, or by `nucleate tools verify price_of`"
        )


def test_three_corrections_in_a_few_calls_make_a_tool_suspect(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.call("price_of", {"item": "nut"})
        for number in range(3):
            assert opened.library.tool("price_of").state is State.ACTIVE
            opened.releases.correct("price_of", by="ada", why=f"wrong price {number}")
        assert opened.library.history("price_of")[-1].why == "a spike of corrections: 3 in 1 calls"


def test_a_correction_names_who_and_why(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        with pytest.raises(InputInvalid, match="by=' ', why='wrong': a person who changes 'price_of' is named"):
            opened.releases.correct("price_of", by=" ", why="wrong")


def _fact(opened: Runtime) -> str:
    draft = Draft(
        kind=Kind.FACT,
        scope="stock",
        title="prices hold tax",
        body="The answer of `stock.price` holds the tax.",
        source="user:ada",
    )
    return opened.memory.add(draft, by="ada").id


def test_an_invalidated_fact_about_a_function_makes_its_tools_suspect_before_their_next_call(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        fact = _fact(opened)
        assert opened.call("price_of", {"item": "nut"}).ok
        opened.memory.invalidate(fact, by="bo", why="tax is apart since May")
        with pytest.raises(
            ToolSuspect, match=r"the fact \S+ was invalidated \(tax is apart since May\): prices hold tax"
        ):
            opened.call("price_of", {"item": "nut"})


def test_a_tool_is_judged_once_for_each_fact_that_ended(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        opened.memory.invalidate(_fact(opened), by="bo", why="tax is apart")
        with pytest.raises(ToolSuspect):
            opened.call("price_of", {"item": "nut"})
        opened.library.transition("price_of", to=State.ACTIVE, by="ada", why="it never used the tax")
        assert opened.call("price_of", {"item": "nut"}).ok
    with runtime(tmp_path, worker="off") as opened:
        assert opened.call("price_of", {"item": "nut"}).ok


def test_an_invalidated_fact_about_another_function_leaves_a_tool_alone(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened, world.make("take", "env.stock.reserve(item=item, count=1)", reaches=("stock.reserve",)))
        opened.memory.invalidate(_fact(opened), by="bo", why="tax is apart")
        assert opened.call("take", {"item": "nut"}).ok


def test_wrong_arguments_run_nothing_and_are_no_error_of_the_tool(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        wrong: list[JsonObject] = [{}, {"item": 3}, {"item": "nut", "count": 1}, {"items": "nut"}]
        outcomes = [opened.call("price_of", arguments) for arguments in wrong]
        assert [outcome.failure and outcome.failure.message for outcome in outcomes] == [
            f"price_of: {said}; the tool is def price_of(item: str) -> float"
            for said in (
                "'item' is missing",
                "item: 3 is not of type 'string'",
                "'count' is not an argument; it takes 'item'",
                "'items' is not an argument; did you mean 'item'?; 'item' is missing",
            )
        ]
        assert {outcome.failure and outcome.failure.kind for outcome in outcomes} == {"InvalidArguments"}
        assert [outcome.calls for outcome in outcomes] == [(), (), (), ()]
        opened.releases.settle()
        assert (opened.library.uses("price_of"), opened.library.tool("price_of").state) == (0, State.ACTIVE)


def test_what_the_environment_refuses_is_no_error_of_the_tool(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        for _ in range(4):
            outcome = opened.call("price_of", {"item": "nothing"})
            assert (outcome.failure and outcome.failure.kind) == "LookupError"
        opened.releases.settle()
        assert opened.library.tool("price_of").state is State.ACTIVE
        (use,) = opened.library.stats().tools
        assert (use.uses, use.passes) == (4, 4)
