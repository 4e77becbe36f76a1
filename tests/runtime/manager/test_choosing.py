"""What a task is given: what fits, closed under calls, as guidance within a budget."""

from __future__ import annotations

from pathlib import Path

from nucleate.manager import Choice, SelectionRules
from nucleate_text_memory import Kind
from tests.runtime.manager.world import ASKED, PAYMENT, REFUND, RESTOCK, SCOPE, World, world

PLAN = ("Refund an order", "1. `orders.get_order` 2. `refunds.create_refund` for the order", "orders.get_order", "refunds.create_refund")  # fmt: skip


def names(choice: Choice) -> list[str]:
    """Return the names of what is loaded."""
    return [version.name for version in choice.closure]


def fill(known: World) -> None:
    """Put three tools and a plan into a world."""
    known.tool(REFUND, "refund", known.tool(PAYMENT, "find_payment"))
    known.tool(RESTOCK, "restock")
    known.entry(Kind.PLAN, *PLAN)


def test_a_tool_that_fits_is_loaded_with_what_it_calls_and_others_are_refused(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        choice = known.manager.choose(ASKED, scope=SCOPE)
        assert "refund" in [item.version.name for item in choice.tools]
        assert names(choice)[:2] == ["find_payment", "refund"]
        assert "restock" not in names(choice)
        assert names(known.manager.choose("What is the weather in Oslo tomorrow?", scope=SCOPE)) == []


def test_a_plan_that_is_chosen_brings_its_tools_and_is_named_for_recurrence(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        plan = known.entry(Kind.PLAN, "Reorder goods for the order", "Reorder what an order needs", "stock.reorder")
        known.memory.link_tool(plan.id, "restock")
        choice = known.manager.choose("Refund or reorder the goods for the order", scope=SCOPE)
        assert plan.id in choice.plans
        assert [item.reason for item in choice.tools if item.version.name == "restock"] == [
            f"does {plan.id}: Reorder goods for the order"
        ]


def test_a_plan_finds_its_tool_under_the_name_that_it_has_now(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        fill(known)
        plan = known.entry(Kind.PLAN, "Reorder goods", "Reorder goods of a supplier", "stock.reorder")
        known.memory.link_tool(plan.id, "restock")
        known.library.rename("restock", SCOPE, to="reorder_goods", by="ada", why="clearer")
        choice = known.manager.choose("Reorder goods of a supplier", scope=SCOPE)
        assert choice.tools[0].version.name == "reorder_goods"
        assert choice.tools[0].reason.startswith(f"does {plan.id}")


def test_guidance_names_its_sources_and_keeps_to_its_budget(tmp_path: Path) -> None:
    with world(tmp_path, SelectionRules(tokens=60)) as known:
        plan = known.entry(Kind.PLAN, *PLAN)
        known.entry(Kind.FACT, "A refund is final", "A refund for an order cannot be undone. " * 20)
        choice = known.manager.choose(ASKED, scope=SCOPE)
        assert choice.guidance == (
            "## Plan: Refund an order\n\n1. `orders.get_order` 2. `refunds.create_refund` for the order\n"
            f"({plan.id}, from user)"
        )
        assert [item.entry.id for item in choice.entries] == [plan.id]
        assert 0 < choice.tokens <= 60


def test_each_half_of_memory_can_be_left_out(tmp_path: Path) -> None:
    with world(tmp_path, SelectionRules(text=False)) as known:
        fill(known)
        choice = known.manager.choose(ASKED, scope=SCOPE)
        assert (choice.entries, choice.guidance) == ((), "")
        assert "refund" in names(choice)
    with world(tmp_path, SelectionRules(code=False)) as known:
        choice = known.manager.choose(ASKED, scope=SCOPE)
        assert (len(choice.entries), choice.closure) == (1, ())


def test_a_scope_that_nobody_knows_gives_nothing(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        assert known.manager.choose(ASKED, scope="nowhere") == Choice()


def test_a_tool_that_comes_or_goes_is_noticed(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        assert known.manager.search_tools(ASKED, scope=SCOPE) == ()
        known.tool(PAYMENT, "find_payment")
        assert [item.version.name for item in known.manager.search_tools(ASKED, scope=SCOPE)] == ["find_payment"]


def test_use_is_counted_once_for_each_entry(tmp_path: Path) -> None:
    with world(tmp_path) as known:
        plan = known.entry(Kind.PLAN, *PLAN)
        known.manager.used([plan.id, plan.id])
        known.manager.used([])
        assert known.memory.entry(plan.id).use_count == 1
