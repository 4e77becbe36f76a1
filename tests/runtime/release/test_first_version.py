"""A tool's first version: in service on the word of admission, or on trial against the plain steps of its plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nucleate_codifier.trace import Pattern, Template
from nucleate_codifier.trace.expressions import Param
from nucleate_tool_library import State, ToolVersion
from nucleate_tool_library.trials.trials import Baseline
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve

TWICE = Template(
    patterns=(
        Pattern(function="stock.price", arguments=(("item", Param(name="first")),)),
        Pattern(function="stock.price", arguments=(("item", Param(name="second")),)),
    ),
    returns=(("first", 0), ("second", 1)),
)
PAIR = '{"first": env.stock.price(item=first), "second": env.stock.price(item=second)}'


def both(body: str = PAIR) -> ToolVersion:
    version = world.make("price_both", body, parameters="first: str, second: str")
    return replace(version, template=TWICE.to_json())


def test_by_default_a_first_version_is_in_service_at_once(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        assert life(opened) == ["1 - → active, admission"]


def test_on_trial_a_first_version_serves_and_each_call_is_paired_with_the_plain_steps(tmp_path: Path) -> None:
    with runtime(tmp_path, release_policy="canary") as opened:
        serve(opened, both())
        assert opened.library.tool("price_both").state is State.CANARY
        for item in ("nut", "bolt", "nail", "screw"):
            opened.call("price_both", {"first": item, "second": "pin"})
        trials = opened.releases.trials("price_both")
        assert {trial.baseline for trial in trials} == {Baseline.PLAIN}
        assert [
            (trial.candidate and trial.candidate.calls, trial.reference and trial.reference.calls) for trial in trials
        ] == [(1, 2)] * 4
        assert opened.library.tool("price_both").state is State.CANARY
        opened.call("price_both", {"first": "odd", "second": "pin"})
        assert life(opened, "price_both") == ["1 - → canary, admission", "1 canary → active, release rule"]


def test_a_first_version_that_does_other_than_the_plain_steps_is_suspect_at_once(tmp_path: Path) -> None:
    with runtime(tmp_path, release_policy="canary", worker="off") as opened:
        serve(opened, both(PAIR.replace("item=second", "item=first")))
        opened.call("price_both", {"first": "nut", "second": "pin"})
        opened.releases.settle()
        assert opened.library.tool("price_both").state is State.SUSPECT
        assert "a regression in case" in opened.library.history("price_both")[-1].why


def test_what_agents_do_by_hand_tries_a_version_that_nobody_calls(tmp_path: Path) -> None:
    with runtime(tmp_path, release_policy="canary") as opened:
        serve(opened, both())
        for number, item in enumerate(("nut", "bolt", "nail", "screw", "pin")):
            with opened.record(f"prices of {item} and pin", task_id=f"task-{number}") as run:
                run.env.stock.price(item=item)
                run.env.stock.price(item="pin")
        assert len(opened.releases.trials("price_both")) == 5
        assert opened.library.tool("price_both").state is State.ACTIVE
        assert opened.library.uses("price_both") == 0
