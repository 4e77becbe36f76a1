"""A model picks entries and tools jointly: ids with reasons, checked; what it cannot say is left to the scores."""

from __future__ import annotations

import json
from pathlib import Path

from nucleate_codifier.chat import ModelUnavailable, ScriptedModel
from nucleate_text_memory import Kind
from tests.runtime.manager.test_choosing import PLAN, names
from tests.runtime.manager.world import ASKED, PAYMENT, REFUND, SCOPE, World, world


def fill(known: World) -> str:
    """Put two tools and a plan into a world, and return the plan's id."""
    known.tool(REFUND, "refund", known.tool(PAYMENT, "find_payment"))
    return known.entry(Kind.PLAN, *PLAN).id


def picks(entries: dict[str, str], tools: dict[str, str]) -> str:
    """Return a reply."""
    found = {"entries": entries, "tools": tools}
    return json.dumps({key: [{"id": i, "reason": r} for i, r in some.items()] for key, some in found.items()})


def test_what_a_model_picks_is_given_with_its_reasons_and_unknown_ids_are_dropped(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        plan = fill(known)
        model = ScriptedModel([picks({plan: "the same task", "plan-x": "?"}, {"find_payment": "a part", "rm": "?"})])
        choice = known.manager.choose(ASKED, scope=SCOPE, model=model)
        assert [(item.entry.id, item.reason) for item in choice.entries] == [(plan, "the same task")]
        assert [(item.version.name, item.reason) for item in choice.tools] == [("find_payment", "a part")]
        assert (choice.by, len(choice.replies), choice.plans) == ("scripted", 1, (plan,))
        (asked,) = model.asked[0]
        assert plan in asked.content
        assert "`refund`: `def refund(order_id: str, amount: float)" in asked.content


def test_a_model_may_choose_nothing(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        choice = known.manager.choose(ASKED, scope=SCOPE, model=ScriptedModel([picks({}, {})]))
        assert (choice.entries, choice.tools, choice.closure, choice.by) == ((), (), (), "scripted")


def test_an_unreadable_choice_is_corrected_once_and_then_left_to_the_scores(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        right = ScriptedModel(["hm", picks({}, {"refund": "fits"})])
        assert names(known.manager.choose(ASKED, scope=SCOPE, model=right)) == ["find_payment", "refund"]
        wrong = ScriptedModel(["hm", "hm"])
        choice = known.manager.choose(ASKED, scope=SCOPE, model=wrong)
        assert (choice.by, len(choice.replies), names(choice)) == ("scores", 2, ["find_payment", "refund"])


def test_a_model_that_is_out_of_order_leaves_the_choice_to_the_scores(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        choice = known.manager.choose(ASKED, scope=SCOPE, model=ScriptedModel([ModelUnavailable("no answer")]))
        assert (choice.by, choice.replies, names(choice)) == ("scores", (), ["find_payment", "refund"])


def test_a_model_is_not_asked_where_there_is_nothing_to_choose(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        model = ScriptedModel([])
        known.manager.choose(ASKED, scope=SCOPE, model=model)
        assert model.asked == []
