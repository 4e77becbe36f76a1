"""Plans are induced from sequences of calls that enough distinct inputs share."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine, event

from nucleate_text_memory import Entry, Kind, SourceSpan, TextMemory, Trajectory
from tests.text_memory.database import fail_at
from tests.text_memory.runs import failed, learn, ok, run


def named(task_id: str, *functions: str, query: str = "") -> Trajectory:
    return run(task_id, *(ok(f"shop.{name}" if name[0] != "!" else name[1:]) for name in functions), query=query)


def shapes(entries: tuple[Entry, ...]) -> list[str]:
    return [" ".join(function.removeprefix("shop.") for function in entry.signature) for entry in entries]


def test_a_sequence_becomes_a_plan_with_its_second_distinct_input(memory: TextMemory) -> None:
    first, second = learn(memory, named("t1", "a", "b"), named("t2", "a", "b"))
    assert first.entries == ()
    assert shapes(second.plans) == ["a b"]
    assert second.plans[0].evidence == tuple(SourceSpan(task_id=task, start=0, stop=2) for task in ("t1", "t2"))
    assert (second.plans[0].source, second.plans[0].confidence) == ("task:t2", 0.75)


def test_the_same_input_twice_is_one_piece_of_evidence(memory: TextMemory) -> None:
    reflections = learn(
        memory, named("t1", "a", "b", query="Buy tea"), named("t2", "a", "b", query="buy  TEA"), named("t3", "a", "b")
    )
    assert [shapes(reflection.plans) for reflection in reflections] == [[], [], ["a b"]]


def test_a_higher_quorum_waits_for_more_inputs(memory: TextMemory) -> None:
    for number in range(3):
        memory.store(named(f"t{number}", "a", "b"))
    assert memory.reflect("t1", quorum=3).plans == ()
    assert shapes(memory.reflect("t2", quorum=3).plans) == ["a b"]


def test_only_the_longest_sequence_of_equal_support_becomes_a_plan(memory: TextMemory) -> None:
    first, second, third = learn(
        memory, named("t1", "a", "b", "c", "d"), named("t2", "a", "b", "c", "x"), named("t3", "y", "b", "c")
    )
    assert (first.plans, shapes(second.plans), shapes(third.plans)) == ((), ["a b c"], ["b c"])


def test_a_run_of_one_function_is_one_group_and_no_plan_by_itself(memory: TextMemory) -> None:
    _, second = learn(memory, named("t1", "a", "a", "a"), named("t2", "a", "a"))
    assert second.plans == ()
    _, fourth = learn(memory, named("t3", "a", "a", "b"), named("t4", "a", "b"))
    assert shapes(fourth.plans) == ["a b"]


def test_a_failed_call_is_no_part_of_the_procedure(memory: TextMemory) -> None:
    retried = run("t1", ok("shop.a"), failed("shop.b", "no", id=1), ok("shop.b", id=2), ok("shop.a"))
    _, second = learn(memory, retried, named("t2", "a", "b", "a"))
    assert shapes(second.plans) == ["a b a"]


def test_a_noted_thought_is_no_part_of_the_procedure(memory: TextMemory) -> None:
    _, second = learn(memory, named("t1", "a", "think", "b"), named("t2", "a", "b"))
    assert shapes(second.plans) == ["a b"]


def test_a_call_of_a_tool_breaks_the_sequence(memory: TextMemory) -> None:
    _, second = learn(memory, named("t1", "a", "!cheapest", "b", "c"), named("t2", "a", "!cheapest", "b", "c"))
    assert shapes(second.plans) == ["b c"]


def test_a_plan_has_two_to_eight_groups(memory: TextMemory) -> None:
    _, second = learn(memory, named("t1", *"abcdefghi"), named("t2", *"abcdefghi"))
    assert shapes(second.plans) == ["a b c d e f g h", "b c d e f g h i"]


def test_evidence_of_another_scope_does_not_count(memory: TextMemory) -> None:
    elsewhere = run("t1", ok("shop.a"), ok("shop.b"), environment="desk")
    _, second = learn(memory, elsewhere, named("t2", "a", "b"))
    assert second.plans == ()


def test_reflecting_again_returns_the_same_and_adds_nothing(memory: TextMemory) -> None:
    *_, second = learn(memory, named("t1", "a", "b"), named("t2", "a", "b"))
    assert memory.reflect("t2") == second
    assert memory.reflect("t1").entries == ()
    assert memory.entries() == list(second.entries)


def test_a_process_that_dies_while_reflecting_can_reflect_again(engine: Engine) -> None:
    memory = TextMemory(engine)
    learn(memory, named("t1", "a", "b"))
    memory.store(named("t2", "a", "b"))
    listener = fail_at(engine, "INSERT INTO entry_vector")
    with pytest.raises(KeyboardInterrupt):
        memory.reflect("t2")
    event.remove(*listener)
    assert memory.entries() == []
    assert shapes(memory.reflect("t2").plans) == ["a b"]


def test_more_inputs_raise_the_confidence_of_a_plan_and_nothing_else(memory: TextMemory) -> None:
    *_, second = learn(memory, named("t1", "a", "b"), named("t2", "a", "b"))
    learn(memory, named("t3", "a", "b"))
    (plan,) = memory.entries()
    assert (plan.id, plan.body, plan.evidence) == (second.plans[0].id, second.plans[0].body, second.plans[0].evidence)
    assert plan.confidence == 0.8


def test_an_invalidated_plan_is_not_induced_again(memory: TextMemory) -> None:
    *_, second = learn(memory, named("t1", "a", "b"), named("t2", "a", "b"))
    memory.invalidate(second.plans[0].id, why="wrong way round")
    (third,) = learn(memory, named("t3", "a", "b"))
    assert third.plans == ()
    assert memory.entries() == []


def test_the_plans_of_a_trajectory_are_the_valid_ones_that_occur_in_it(memory: TextMemory) -> None:
    learn(memory, named("t1", "a", "b", "c"), named("t2", "a", "b", "c"), named("t3", "x", "b", "c"))
    assert shapes(tuple(memory.plans_in(named("t4", "a", "b", "c")))) == ["a b c", "b c"]
    assert shapes(tuple(memory.plans_in(named("t5", "b", "c")))) == ["b c"]
    memory.invalidate(memory.entries()[1].id, why="too short")
    assert memory.plans_in(named("t5", "b", "c")) == []


def test_occurrences_hold_the_first_place_in_each_trajectory_with_its_groups(memory: TextMemory) -> None:
    runs = [named("t1", "a", "a", "b", "a", "b"), named("t2", "x"), named("t3", "y", "a", "b", "b")]
    learn(memory, *runs)
    (plan,) = [entry for entry in memory.entries() if len(entry.signature) == 2]
    assert [(o.trajectory, o.groups, o.start, o.stop) for o in memory.occurrences(plan.id)] == [
        (runs[0], ((0, 1), (2,)), 0, 3),
        (runs[2], ((1,), (2, 3)), 1, 4),
    ]


def order(task_id: str, customer: str, orders: list[str]) -> Trajectory:
    return run(
        task_id,
        ok("shop.find_customer", {"customer_id": f"id-{customer}"}, email=f"{customer}@example.org"),
        ok("shop.list_orders", {"orders": [{"id": name} for name in orders]}, customer=f"id-{customer}"),
        *(ok("shop.refund_order", {"done": True}, order=name, reason="damaged", notify=False) for name in orders),
        query=f"Refund every order of {customer}@example.org",
    )


def test_a_plan_says_in_words_where_each_argument_comes_from(memory: TextMemory) -> None:
    for trajectory in (order("t1", "ada", ["O-100", "O-101"]), order("t2", "bob", ["O-200"])):
        memory.store(trajectory)
    docs = {"shop.list_orders": "List a customer's orders. Newest first."}
    (plan,) = memory.reflect("t2", docs=docs).plans
    assert plan.kind is Kind.PLAN
    assert plan.title == "Find customer, list orders, then refund order (for each)"
    assert plan.body == (
        "1. `shop.find_customer` with email = from the task\n"
        "2. `shop.list_orders` with customer = `customer_id` of step 1 (List a customer's orders)\n"
        "3. for each of `orders[].id` of step 2: `shop.refund_order` with notify = False in every run; "
        "order = that value; reason = 'damaged' in every run"
    )


def test_a_plan_goes_over_a_whole_list_only_where_every_run_did(memory: TextMemory) -> None:
    some = order("t2", "bob", ["O-200", "O-201"])
    for trajectory in (order("t1", "ada", ["O-100", "O-101"]), replace(some, steps=some.steps[:-1])):
        memory.store(trajectory)
    (plan,) = memory.reflect("t2").plans
    assert "3. for each that the task asks for, of `orders[].id` of step 2: `shop.refund_order`" in plan.body


def test_a_plan_claims_no_constant_that_another_call_contradicts(memory: TextMemory) -> None:
    other = run("t0", ok("shop.refund_order", {"done": True}, order="O-1", reason="lost", notify=False))
    learn(memory, other, order("t1", "ada", ["O-100"]))
    memory.store(order("t2", "bob", ["O-200"]))
    (plan,) = memory.reflect("t2").plans
    assert "notify = False in every run" in plan.body
    assert "reason = as the task needs" in plan.body


def test_one_call_supports_the_plan_to_make_it_several_times_and_brings_it_to_no_quorum(memory: TextMemory) -> None:
    def reads(task_id: str, *orders: str) -> Trajectory:
        return run(task_id, *(ok("shop.get_order", {"total": 5}, order_id=order) for order in orders))

    alone, again, several = learn(memory, reads("t1", "#W901"), reads("t2", "#W902"), reads("t3", "#W903", "#W904"))
    assert (alone.plans, again.plans, shapes(several.plans)) == ((), (), ["get_order"])
    assert several.plans[0].evidence[-1] == SourceSpan(task_id="t3", start=0, stop=2)
