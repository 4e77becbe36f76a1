"""A version on trial beside the active one: routed, paired, promoted or rolled back by rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate_sandbox import Limit
from nucleate_tool_library import LibraryError, State
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve, try_out

FIVE = ["nut", "bolt", "nail", "screw", "odd one"]


def test_a_version_that_fails_less_often_is_promoted_after_five_cases(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        values = [opened.call("price_of", {"item": item}).value for item in FIVE]
        assert values == [1.0, 2.0, 0.5, 0.8, 0.0]
        assert life(opened) == ["1 - → active, admission", "2 - → canary, admission", "2 canary → active, release rule"]
        promoted = opened.library.tool("price_of")
        assert (promoted.number, promoted.version.source) == (2, world.BETTER.source)
        assert opened.library.history("price_of")[-1].why == "5 cases, pass rate 1.00, baseline 0.80"


def test_a_version_that_answers_otherwise_is_rolled_back_at_once(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.WRONG)
        assert opened.call("price_of", {"item": "nut"}).value == 2.0
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        assert life(opened) == [
            "1 - → active, admission",
            "2 - → canary, admission",
            "2 canary → suspect, release rule",
            "2 suspect → archived, release rule",
        ]
        why = [event.why for event in opened.library.history("price_of")]
        assert why[2].startswith("a regression in case ")
        assert why[2].endswith(": returned 2.0, where the baseline returned 1.0")
        assert why[3] == "rolled back: version 1 serves every call"


def test_a_canary_that_fails_is_answered_by_the_version_before(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BROKEN)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        assert life(opened)[-1] == "2 suspect → archived, release rule"


def test_a_canary_that_never_ends_is_stopped_at_its_limit_and_answered_by_the_version_before(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.HANGING)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        (trial,) = opened.releases.trials("price_of", world.HANGING.id)
        assert (trial.regressed, str(Limit.CALLS.value) in trial.detail) == (True, True)
        assert life(opened)[-1] == "2 suspect → archived, release rule"


def test_both_refused_alike_by_the_environment_is_a_pass_for_both(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        outcome = opened.call("price_of", {"item": "nothing"})
        assert outcome.failure is not None
        assert outcome.failure.kind == "LookupError"
        (trial,) = opened.releases.trials("price_of", world.BETTER.id)
        assert (trial.regressed, trial.candidate and trial.candidate.passed) == (False, True)


def test_a_version_that_writes_where_the_one_before_reads_is_rolled_back(tmp_path: Path) -> None:
    stock = world.Stock()
    with runtime(tmp_path, {"stock": stock}) as opened:
        serve(opened)
        try_out(opened, world.GRABBING)
        opened.call("price_of", {"item": "nut"})
        (trial,) = opened.releases.trials("price_of", world.GRABBING.id)
        assert "writes differ" in trial.detail
        assert life(opened)[-1] == "2 suspect → archived, release rule"


def test_a_call_beyond_the_manifest_is_a_safety_failure(tmp_path: Path) -> None:
    stock = world.Stock()
    with runtime(tmp_path, {"stock": stock}) as opened:
        serve(opened)
        try_out(opened, world.FORBIDDEN)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        assert stock.reserved == {}
        (trial,) = opened.releases.trials("price_of", world.FORBIDDEN.id)
        assert (trial.safe, trial.detail.partition(":")[0]) == (False, "called 'stock.reserve'")


def test_only_its_share_of_the_calls_goes_to_a_canary_and_always_the_same_ones(tmp_path: Path) -> None:
    with runtime(tmp_path, canary_share=0.2) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        for _ in range(2):
            for number in range(100):
                opened.call("price_of", {"item": f"item {number}"})
        tried = opened.releases.trials("price_of", world.BETTER.id)
        assert (len(tried), len({trial.case for trial in tried})) == (34, 17)


def test_with_a_share_of_nothing_no_call_goes_to_a_canary(tmp_path: Path) -> None:
    with runtime(tmp_path, canary_share=0.0) as opened:
        serve(opened)
        try_out(opened, world.WRONG)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0


def test_a_call_that_a_canary_cannot_take_is_one_that_it_misses(tmp_path: Path) -> None:
    other = world.make("price_of", "env.stock.price(item=thing)['price']", parameters="thing: str")
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, other)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        (trial,) = opened.releases.trials("price_of", other.id)
        assert (trial.activated, trial.wanted, trial.candidate) == (False, True, None)


def test_an_environment_that_cannot_be_copied_gives_trials_without_pairs_and_a_control_group(tmp_path: Path) -> None:
    with runtime(tmp_path, {"stock": world.Unforkable()}, canary_share=0.5) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        for number in range(20):
            assert opened.call("price_of", {"item": f"item {number}"}).value == 3.0
        tried = opened.releases.trials("price_of", world.BETTER.id)
        assert all(trial.reference is None or trial.candidate is None for trial in tried)
        assert {trial.candidate is None for trial in tried} == {True, False}


def test_a_pinned_tool_is_neither_tried_nor_promoted_nor_rolled_back(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.WRONG)
        opened.library.pin("price_of", by="ada", why="the books are closed")
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        assert opened.releases.trials("price_of", world.WRONG.id) == ()
        with pytest.raises(LibraryError, match="pinned"):
            try_out(opened, world.BETTER)


def test_a_later_candidate_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    with runtime(tmp_path, canary_share=0.0) as opened:
        serve(opened)
        try_out(opened, world.WRONG)
        try_out(opened, world.BETTER)
        assert life(opened)[1:] == [
            "2 - → canary, admission",
            "2 canary → suspect, admission",
            "2 suspect → archived, admission",
            "2 - → canary, admission",
        ]


def test_writing_tools_wait_for_a_person_however_well_they_do(tmp_path: Path) -> None:
    body = 'float(env.stock.reserve(item=item, count=1)["reserved"])'
    old = world.make(
        "take", f'{body} if env.stock.price(item=item)["price"] else 0.0', reaches=("stock.price", "stock.reserve")
    )
    new = world.make("take", f'{body} if env.stock.price(item=item).get("price", 1) else 0.0', reaches=old.capabilities)
    with runtime(tmp_path) as opened:
        serve(opened, old)
        try_out(opened, new)
        for number in range(16):
            opened.call("take", {"item": f"odd {number}" if number < 4 else f"item {number}"})
        waiting = opened.releases.rules.judgement(new)
        assert [str(reason) for reason in waiting.reasons] == ["a person's approval is missing"]
        assert opened.library.tool("take").number == 1
        tool = opened.releases.promote("take", by="ada", why="looked at the trials")
        assert (tool.number, tool.state) == (2, State.ACTIVE)
        event = opened.library.history("take")[-1]
        assert (event.by, event.why) == ("ada", "looked at the trials [16 cases, pass rate 1.00, baseline 0.75]")


def test_a_tool_renamed_while_a_version_is_on_trial_loses_the_trial_and_keeps_its_place(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        opened.library.rename("price_of", to="cost_of", by="ada", why="clearer")
        for item in FIVE:
            assert opened.call("cost_of", {"item": item}).ok
        tool = opened.library.tool("cost_of")
        assert opened.releases.canary("cost_of", "stock") is None
        assert (tool.state, tool.version.name) == (State.ACTIVE, "cost_of")
        assert {item.name for item in opened.library.tools()} == {"cost_of"}
