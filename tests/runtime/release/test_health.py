"""The health of a library, and near-duplicates compared by what they do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from nucleate.release.twins import MergeProposal
from nucleate_sandbox import JsonObject
from nucleate_tool_library import LibraryUse, State, ToolUse, ToolVersion
from nucleate_tool_library.usage.health import Aged, library_health
from tests.runtime.release import world
from tests.runtime.release.world import runtime, serve, try_out


def _case(name: str, item: str) -> JsonObject:
    call: JsonObject = {"function": "stock.price", "arguments": {"item": item}, "result": {"price": world.PRICES[item]}}
    return {
        "task_id": item,
        "query": f"price of {item}",
        "arguments": {name: item},
        "result": world.PRICES[item],
        "calls": [call],
    }


def _with_cases(version: ToolVersion, name: str, *items: str) -> ToolVersion:
    return replace(version, evidence={"seen": [_case(name, item) for item in items]})


PRICE = _with_cases(world.OLD, "item", "nut", "bolt")
COST = _with_cases(
    world.make("cost_of", 'env.stock.price(item=thing)["price"]', parameters="thing: str"), "thing", "nail", "pin"
)
OTHER = _with_cases(
    world.make("dear", 'env.stock.price(item=thing)["price"] + (thing == "pin")', parameters="thing: str"),
    "thing",
    "nail",
    "pin",
)


def test_a_library_without_uses_says_that_it_is_not_doing_what_it_claims() -> None:
    day = timedelta(days=1)
    tools = [
        Aged(name="old", scope="s", state=State.ACTIVE, age=40 * day),
        Aged(name="kept", scope="s", state=State.ACTIVE, age=40 * day, pinned=True),
        Aged(name="young", scope="s", state=State.ACTIVE, age=4 * day),
        Aged(name="used", scope="s", state=State.SUSPECT, age=16 * day),
        Aged(name="gone", scope="s", state=State.ARCHIVED, age=400 * day),
    ]
    names = ("old", "kept", "young", "used", "gone")
    uses = [ToolUse(name=name, scope="s", uses=9 if name == "gone" else 0, passes=0) for name in names]
    found = library_health(tools, LibraryUse(tools=tuple(uses)))
    assert (found.tools, found.uses_per_tool, found.useful, found.mean_age_days) == (4, 0.0, False, 25.0)
    assert found.idle == ("old",)
    assert found.states == {"active": 3, "archived": 1, "suspect": 1}
    assert library_health([], LibraryUse(tools=())).useful


def test_health_shows_reliability_score_trials_and_why_a_tool_is_suspect(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off", canary_share=1.0) as opened:
        serve(opened)
        serve(opened, world.make("take", "env.stock.reserve(item=item, count=1)", reaches=("stock.reserve",)))
        for item in ("nut", "bolt"):
            opened.call("price_of", {"item": item})
        try_out(opened, world.BETTER)
        opened.call("price_of", {"item": "odd"})
        opened.releases.settle()
        opened.releases.demote("take", to=State.SUSPECT, by="ada", why="it takes too much")
        report = opened.releases.health()
        price, take = report.tools
        assert (price.name, price.uses, price.reliability, price.why) == ("price_of", 3, 4 / 5, "")
        # .20·.5 + .15·.5 + .10·1 + .10·.3 + .05·1
        assert price.score == pytest.approx(0.355)
        assert (take.state, take.why) == (State.SUSPECT, "it takes too much")
        # .20·.5 + .15·.5 + .10·1 + .05·1 - .05·.5
        assert take.score == pytest.approx(0.3)
        (trial,) = report.on_trial
        assert (trial.name, trial.number, trial.judgement.figures.cases) == ("price_of", 2, 1)
        assert report.library.uses_per_tool == 1.5
        assert report.library.mean_age_days < 1


def test_tools_that_do_the_same_in_every_case_are_proposed_for_merge(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        for version in (PRICE, COST, OTHER):
            serve(opened, version)
        opened.call("cost_of", {"thing": "nut"})
        assert opened.releases.proposals() == (
            MergeProposal(keep="cost_of", drop="price_of", scope="stock", cases=4, live=True, names={"item": "thing"}),
        )


def test_without_the_environment_the_recordings_answer(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        for version in (PRICE, COST):
            serve(opened, version)
    with runtime(tmp_path, {"elsewhere": world.Stock()}) as opened:
        (found,) = opened.releases.proposals()
        assert (found.cases, found.live) == (4, False)


def test_a_pinned_tool_is_proposed_for_nothing(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        for version in (PRICE, COST):
            serve(opened, version)
        opened.library.pin("cost_of", by="ada", why="mine")
        assert opened.releases.proposals() == ()
