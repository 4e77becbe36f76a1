"""The demo's stream of tasks and its scripted agent, against the shop itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from nucleate.demo.agent import ScriptedAgent, rehearse
from nucleate.demo.tasks import Task, task_stream
from nucleate.shop import open_shop
from nucleate.tools import CallableTool
from nucleate_codifier.trace import Pattern, Template
from nucleate_codifier.trace.expressions import Param, Var
from nucleate_sandbox import Environment, FunctionError, Json, JsonObject, Outcome
from nucleate_tool_library import Signature, ToolVersion

TASKS = task_stream()
EXPECTED_ERRORS = {
    "demo-02": ("customers.find_customer_by_email", "CustomerNotFound"),
    "demo-03": ("refunds.create_refund", "RefundTooLarge"),
    "demo-06": ("orders.get_order", "OrderNotFound"),
    "demo-08": ("stock.reorder_product", "InvalidArguments"),
    "demo-11": ("refunds.create_refund", "RefundTooLarge"),
    "demo-13": ("customers.find_customer_by_email", "CustomerNotFound"),
    "demo-14": ("customers.find_customer_by_name", "CustomerNotFound"),
    "demo-16": ("stock.reorder_product", "InvalidArguments"),
    "demo-20": ("customers.find_customer_by_phone", "CustomerNotFound"),
    "demo-21": ("customers.find_customer_by_email", "CustomerNotFound"),
    "demo-22": ("customers.find_customer_by_name", "CustomerNotFound"),
    "demo-23": ("orders.get_order", "OrderNotFound"),
    "demo-26": ("orders.get_order", "OrderNotFound"),
    "demo-30": ("orders.list_orders_by_status", "InvalidPage"),
}


def by_the_desk(version: ToolVersion, arguments: JsonObject) -> Outcome:
    raise AssertionError(f"{version.name} was called with {arguments}, and the desk makes the calls")


@dataclass(kw_only=True)
class PlainDesk:
    """A desk that writes down what was called; its one tool looks an order up and then its customer."""

    shop: Environment
    tools: Sequence[CallableTool] = ()
    called: list[str] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)

    def call(self, name: str, arguments: JsonObject) -> Json:
        self.called.append(name)
        if name == "find_buyer":
            order = self.shop.call("orders.get_order", arguments)
            assert isinstance(order, dict)
            return self.shop.call("customers.get_customer", {"customer_id": order["customer_id"]})
        try:
            return self.shop.call(name, arguments)
        except FunctionError as error:
            self.errors.append((name, error.kind))
            raise

    def fork(self) -> Environment:
        return self.shop.fork()


FIND_BUYER = CallableTool(
    ToolVersion(
        name="find_buyer",
        scope="shop",
        source="",
        signature=Signature(name="find_buyer", text="", doc="", parameters={}, returns={}),
        template=Template(
            patterns=(
                Pattern(function="orders.get_order", arguments=(("order_id", Param(name="order_id")),)),
                Pattern(
                    function="customers.get_customer",
                    arguments=(("customer_id", Var(step=0, path=("customer_id",))),),
                ),
            ),
            returns=(("customer", 1),),
        ).to_json(),
    ),
    by_the_desk,
)


@cache
def solve_all() -> list[PlainDesk]:
    shop, desks = open_shop(), list[PlainDesk]()
    for task in TASKS:
        desks.append(PlainDesk(shop=shop))
        ScriptedAgent().solve(task, desks[-1])
    return desks


def ledger(shop: Environment) -> list[Json]:
    """Return what was mailed, reported, paid and ordered."""
    payments: list[Json] = [shop.call("payments.get_payment", {"payment_id": f"P-{n}"}) for n in range(40001, 40181)]
    levels: list[Json] = [shop.call("stock.get_level", {"sku": f"SKU-{n}"}) for n in range(3001, 3049)]
    return [shop.call("mail.list_mail", {"page_size": 50}), shop.call("reports.list_reports", {}), payments, levels]


def task_named(name: str) -> Task:
    return next(task for task in TASKS if task.family.name == name)


def test_the_stream_has_thirty_tasks_of_seven_families_that_recur_unevenly() -> None:
    assert [task.id for task in TASKS] == [f"demo-{number:02d}" for number in range(1, 31)]
    assert Counter(task.family.name for task in TASKS) == {
        "refund a damaged item": 8,
        "where is my order": 7,
        "restock a supplier's goods": 6,
        "erase a customer": 5,
        "change an address": 2,
        "cancel an order": 1,
        "count orders": 1,
    }


def test_three_families_have_tasks_left_after_their_fifth_and_the_dangerous_one_has_five() -> None:
    left = Counter[str]()
    for index, task in enumerate(TASKS):
        if sum(earlier.family is task.family for earlier in TASKS[:index]) >= 5:
            left[task.family.name] += 1

    assert left == {"refund a damaged item": 3, "where is my order": 2, "restock a supplier's goods": 1}


def test_a_query_holds_every_value_of_its_task_as_words_of_their_own() -> None:
    for task in TASKS:
        for value in task.slots.values():
            assert re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", task.query), (task.id, value)


def test_no_two_tasks_ask_the_same_and_a_family_is_worded_in_three_ways_at_least() -> None:
    assert len({task.query for task in TASKS}) == 30
    assert all(len(task.family.phrasings) >= 3 for task in TASKS)


def test_the_stream_is_the_same_every_time() -> None:
    assert task_stream() == TASKS


def test_the_agent_solves_every_task_and_no_task_is_solved_before() -> None:
    shop = open_shop()
    for task in TASKS:
        assert not task.solved(shop), task.id
        ScriptedAgent().solve(task, PlainDesk(shop=shop))
        assert task.solved(shop), task.id


def test_a_task_once_solved_stays_solved() -> None:
    shop = solve_all()[-1].shop

    assert [task.id for task in TASKS if not task.solved(shop)] == []


def test_a_task_takes_five_to_seven_calls_mistakes_included() -> None:
    assert [len(desk.called) for desk in solve_all()] == [
        *(6, 7, 7, 5, 6, 7, 5, 7, 6, 6),
        *(7, 7, 7, 6, 6, 6, 6, 5, 6, 7),
        *(7, 6, 7, 7, 5, 7, 6, 6, 7, 6),
    ]


def test_each_mistake_ends_in_one_error_and_the_right_call_follows_at_once() -> None:
    desks = dict(zip((task.id for task in TASKS), solve_all(), strict=True))

    assert {key: desk.errors[0] for key, desk in desks.items() if desk.errors} == EXPECTED_ERRORS
    for key, (function, _) in EXPECTED_ERRORS.items():
        at = desks[key].called.index(function)
        assert (desks[key].called[at + 1], len(desks[key].errors)) == (function, 1)


def test_a_mistake_is_harmless_so_that_the_shop_ends_as_without_it() -> None:
    careful, clumsy = open_shop(), solve_all()[-1].shop
    for task in TASKS:
        ScriptedAgent().solve(replace(task, mistake=None), PlainDesk(shop=careful))

    assert ledger(careful) == ledger(clumsy)


def test_a_rehearsal_lists_the_calls_and_changes_nothing() -> None:
    shop = open_shop()
    task = task_named("cancel an order")

    steps = rehearse(task, shop.fork())

    assert [step.function for step in steps] == [
        "orders.get_order",
        "customers.get_customer",
        "stock.release_reservation",
        "orders.cancel_order",
        "payments.void_payment",
        "mail.send_mail",
    ]
    assert not task.solved(shop)


def test_an_offered_tool_takes_the_place_of_the_calls_it_makes_and_of_the_mistake_in_them() -> None:
    task = task_named("cancel an order")
    desk = PlainDesk(shop=open_shop(), tools=[FIND_BUYER])

    ScriptedAgent().solve(task, desk)

    assert task.mistake is not None
    assert desk.called == [
        "find_buyer",
        "stock.release_reservation",
        "orders.cancel_order",
        "payments.void_payment",
        "mail.send_mail",
    ]
    assert (desk.errors, task.solved(desk.shop)) == ([], True)


def test_a_tool_that_does_not_fit_the_task_is_left_alone() -> None:
    task = task_named("where is my order")
    desk = PlainDesk(shop=open_shop(), tools=[FIND_BUYER])

    ScriptedAgent().solve(task, desk)

    assert ("find_buyer" in desk.called, len(desk.called), task.solved(desk.shop)) == (False, 7, True)


@pytest.mark.parametrize(
    ("family", "undone"),
    [
        ("refund a damaged item", "mail.send_mail"),
        ("refund a damaged item", "refunds.create_refund"),
        ("where is my order", "mail.send_mail"),
        ("restock a supplier's goods", "stock.reorder_product"),
        ("restock a supplier's goods", "mail.send_mail"),
        ("erase a customer", "mail.send_mail"),
        ("erase a customer", "customers.erase_customer"),
        ("change an address", "orders.change_address"),
        ("change an address", "customers.update_address"),
        ("change an address", "mail.send_mail"),
        ("cancel an order", "orders.cancel_order"),
        ("cancel an order", "payments.void_payment"),
        ("cancel an order", "mail.send_mail"),
        ("count orders", "reports.file_report"),
    ],
)
def test_a_task_is_not_solved_while_one_of_its_effects_is_missing(family: str, undone: str) -> None:
    task, shop = task_named(family), open_shop()

    for step in rehearse(task, shop.fork()):
        if step.function != undone:
            shop.call(step.function, step.arguments)

    assert not task.solved(shop)


def test_a_refund_made_twice_is_not_a_solved_task() -> None:
    task, shop = task_named("refund a damaged item"), open_shop()
    steps = rehearse(task, shop.fork())

    for step in [*steps[:3], *steps[2:]]:
        shop.call(step.function, step.arguments)

    assert not task.solved(shop)
