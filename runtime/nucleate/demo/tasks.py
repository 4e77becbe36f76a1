"""The stream of thirty tasks: seven families, some of which recur often enough to become tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from nucleate.demo.families import CANCEL, DELIVERY, ERASE, MOVE, REFUND, REPORT, RESTOCK, Family
from nucleate.demo.mistakes import Mistake
from nucleate.demo.scripts import ScriptCall, Slots
from nucleate.shop import open_shop
from nucleate_sandbox import Environment, Json

# A plan is induced from two tasks and codified after three more, so a family's sixth task is the first to gain.
ORDER = "R D R S D R E S R D R S D E D S R E S M D E R S E C R D M N"
AMOUNTS = (18.35, 24.75, 12.45, 31.15, 9.85, 27.65, 14.55, 21.95)
ADDRESSES = (("71 Poplar Terrace", "20457", "Hamburg"), ("5 Lighthouse Steps", "9000", "Gent"))

Facts: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What somebody asks: the query holds every value of `slots`; `facts` is what the check compares with."""

    id: str
    family: Family
    query: str
    slots: Slots
    facts: Facts = field(repr=False)
    mistake: Mistake | None = None

    def run(self, call: ScriptCall) -> None:
        """Make the family's calls for this task."""
        self.family.script(call, self.slots)

    def solved(self, environment: Environment) -> bool:
        """Return whether the environment is in the state that was asked for."""
        return self.family.check(environment, {**self.slots, **self.facts})


def task_stream(seed: int = 7) -> tuple[Task, ...]:
    """Return the thirty tasks for the shop of this seed, always in the same order."""
    values = _Values(open_shop(seed))
    seen: Counter[str] = Counter()
    tasks: list[Task] = []
    for number, key in enumerate(ORDER.split(), start=1):
        family, make = _FAMILIES[key]
        tasks.append(_task(number, family, seen[key], make(values, seen[key])))
        seen[key] += 1
    return tuple(tasks)


def _task(number: int, family: Family, index: int, made: tuple[Slots, Facts]) -> Task:
    slots, facts = made
    return Task(
        id=f"demo-{number:02d}",
        family=family,
        query=family.phrasings[index % len(family.phrasings)].format(**slots),
        slots=slots,
        facts=facts,
        mistake=family.mistakes.get(index),
    )


class _Values:
    """Reads from a fresh shop who and what the tasks are about; every task has a customer of its own."""

    def __init__(self, shop: Environment) -> None:
        self._shop = shop
        self.customers = self.ask("customers.search_customers", text="", page_size=50)["customers"]
        self.suppliers = self.ask("catalog.list_suppliers")["suppliers"]

    def ask(self, function: str, **arguments: Json) -> Any:
        """Return a read function's result."""
        return self._shop.call(function, arguments)

    def order(self, customer: Facts, status: str) -> Any:
        """Return the customer's latest order in a status."""
        rows = self.ask("orders.list_orders", customer_id=customer["customer_id"])["orders"]
        order_id = next(row["order_id"] for row in rows if row["status"] == status)
        return self.ask("orders.get_order", order_id=order_id)


def _refund(values: _Values, index: int) -> tuple[Slots, Facts]:
    customer = values.customers[index]
    order = values.order(customer, "delivered")
    slots = {"order_id": order["order_id"], "amount": AMOUNTS[index]}
    return slots, {"payment_id": order["payment_id"], "email": customer["email"]}


def _delivery(values: _Values, index: int) -> tuple[Slots, Facts]:
    customer = values.customers[10 + index]
    parcel = values.ask("shipping.find_parcel", order_id=values.order(customer, "shipped")["order_id"])
    return {"email": customer["email"]}, {"tracking_code": parcel["tracking_code"]}


def _restock(values: _Values, index: int) -> tuple[Slots, Facts]:
    supplier = values.suppliers[index]
    return {"supplier": supplier["name"]}, {"supplier_id": supplier["supplier_id"], "email": supplier["email"]}


def _erase(values: _Values, index: int) -> tuple[Slots, Facts]:
    customer = values.customers[20 + index]
    return {"name": customer["name"]}, {"customer_id": customer["customer_id"], "email": customer["email"]}


def _move(values: _Values, index: int) -> tuple[Slots, Facts]:
    customer = values.customers[30 + index]
    street, postcode, city = ADDRESSES[index]
    slots = {"phone": customer["phone"], "street": street, "postcode": postcode, "city": city}
    return slots, {"customer_id": customer["customer_id"], "email": customer["email"]}


def _cancel(values: _Values, index: int) -> tuple[Slots, Facts]:
    customer = values.customers[35 + index]
    return {"order_id": values.order(customer, "open")["order_id"]}, {"email": customer["email"]}


def _report(_values: _Values, index: int) -> tuple[Slots, Facts]:
    return {"status": "open", "title": f"Open orders, week {12 + index}"}, {}


_Make: TypeAlias = Callable[[_Values, int], tuple[Slots, Facts]]
_FAMILIES: Mapping[str, tuple[Family, _Make]] = {
    "R": (REFUND, _refund),
    "D": (DELIVERY, _delivery),
    "S": (RESTOCK, _restock),
    "E": (ERASE, _erase),
    "M": (MOVE, _move),
    "C": (CANCEL, _cancel),
    "N": (REPORT, _report),
}
