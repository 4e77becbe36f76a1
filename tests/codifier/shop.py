"""A small shop, a good tool for it, and recorded runs: the ground on which the gates are tried."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_codifier.admission.admit import judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import (
    AdmissionPolicy,
    Candidate,
    EnvironmentView,
    Evidence,
    Example,
    LibraryView,
    Verdict,
)
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json, JsonObject, Sandbox
from tests.doubles import InProcessSandbox, TableEnvironment

ORDER: JsonObject = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "customer": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "delivered"]},
        "total": {"type": "number"},
    },
    "required": ["id", "customer", "status", "total"],
}


def _parameters(**properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": {**properties}, "required": list(properties)}


TEXT: JsonObject = {"type": "string"}
SEARCH = FunctionSpec(
    name="orders.search",
    parameters=_parameters(customer=TEXT),
    returns={"type": "object", "properties": {"orders": {"type": "array", "items": ORDER}}, "required": ["orders"]},
    effect=Effect.READ,
)
REFUND = FunctionSpec(
    name="refunds.create",
    parameters=_parameters(order_id=TEXT, amount={"type": "number"}),
    returns={"type": "object", "properties": {"refund_id": TEXT}, "required": ["refund_id"]},
    effect=Effect.WRITE,
)
NOTIFY = FunctionSpec(
    name="mail.send",
    parameters=_parameters(customer=TEXT, text=TEXT),
    returns={"type": "boolean"},
    effect=Effect.WRITE,
)

STATE: JsonObject = {
    "orders": [
        {"id": "W101", "customer": "ann", "status": "delivered", "total": 40.0},
        {"id": "W102", "customer": "ann", "status": "pending", "total": 15.0},
        {"id": "W103", "customer": "bob", "status": "delivered", "total": 20.0},
        {"id": "W104", "customer": "cy", "status": "pending", "total": 5.0},
        {"id": "W105", "customer": "cy", "status": "delivered", "total": 60.0},
        {"id": "W106", "customer": "cy", "status": "delivered", "total": 12.0},
    ],
    "refunds": [],
}


def _orders(state: JsonObject) -> list[JsonObject]:
    orders = state["orders"]
    assert isinstance(orders, list)
    return [order for order in orders if isinstance(order, dict)]


def _search(state: JsonObject, arguments: JsonObject) -> Json:
    return {"orders": [order for order in _orders(state) if order["customer"] == arguments["customer"]]}


def _refund(state: JsonObject, arguments: JsonObject) -> Json:
    if arguments["order_id"] not in [order["id"] for order in _orders(state)]:
        raise FunctionError(f"no order {arguments['order_id']!r}", kind="OrderNotFound")
    refunds = state["refunds"]
    assert isinstance(refunds, list)
    refunds.append(arguments["order_id"])
    return {"refund_id": f"R-{arguments['order_id']}"}


def shop() -> TableEnvironment:
    """Return a fresh shop."""
    answers = {SEARCH.name: _search, REFUND.name: _refund, NOTIFY.name: lambda _state, _arguments: True}
    return TableEnvironment([SEARCH, REFUND, NOTIFY], STATE, answers)


GOOD = '''\
"""Refunds."""


def refund_delivered(customer: str, share: float) -> list[str]:
    """Refund a share of each delivered order of a customer, and return the refunds' ids."""
    refunds = []
    for order in env.orders.search(customer=customer)["orders"]:
        if order["status"] == "delivered":
            refunds.append(env.refunds.create(order_id=order["id"], amount=order["total"] * share)["refund_id"])
    return refunds
'''


def record(task_id: str, query: str, customer: str, share: float) -> Example:
    """Return the run of an agent that refunds by hand."""
    environment = shop()
    found = environment.call(SEARCH.name, {"customer": customer})
    assert isinstance(found, dict)
    result: list[Json] = []
    for order in found["orders"]:  # type: ignore[union-attr]
        assert isinstance(order, dict)
        if order["status"] == "delivered":
            amount = order["total"] * share  # type: ignore[operator]
            made = environment.call(REFUND.name, {"order_id": order["id"], "amount": amount})
            result.append(made["refund_id"])  # type: ignore[index, call-overload]
    return Example(
        task_id=task_id,
        query=query,
        arguments={"customer": customer, "share": share},
        result=result,
        calls=tuple(environment.made),
    )


ANN = record("t1", "Give Ann half of her money back", "ann", 0.5)
BOB = record("t2", "Bob gets everything back for what was delivered", "bob", 1.0)
CY = record("t3", "Please refund a quarter to Cy", "cy", 0.25)
EVIDENCE = Evidence(seen=(ANN, BOB), held_out=(CY,))
POLICY = AdmissionPolicy(property_examples=10, gate_seconds=60.0)


def subject(
    source: str = GOOD,
    *,
    name: str = "refund_delivered",
    evidence: Evidence = EVIDENCE,
    sandbox: Sandbox | None = None,
    policy: AdmissionPolicy = POLICY,
    library: LibraryView = LibraryView(),  # noqa: B008 - a frozen value
    tests: Mapping[str, str] | None = None,
) -> Subject:
    """Return a candidate for the shop with everything that it is judged against."""
    environment = shop()
    return Subject(
        candidate=Candidate(name=name, scope="shop", source=source, tests=tests or {}),
        library=library,
        environment=EnvironmentView(name="shop", functions=environment.functions, live=environment),
        sandbox=sandbox or InProcessSandbox(),
        evidence=evidence,
        policy=policy,
    )


def verdict(given: Subject) -> Verdict:
    """Put a subject through all gates."""
    return judge(given, GATES)


def rules(result: GateResult | Verdict) -> list[str]:
    """Return the rules of the findings, each once, in order."""
    return list(dict.fromkeys(finding.rule for finding in result.findings))


def replaced(source: str, *changes: tuple[str, str]) -> str:
    """Return the source with exact texts replaced; a text that is not there is a mistake of the test."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source
