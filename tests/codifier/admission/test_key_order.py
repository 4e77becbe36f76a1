"""Tools that take the first key of an object, in an environment whose order of keys is now this and now that."""

from __future__ import annotations

from dataclasses import replace

from nucleate_codifier.admission.tests_gate import tests_gate
from nucleate_codifier.values import Candidate, EnvironmentView, Evidence, Example
from nucleate_sandbox import Call, Effect, FunctionSpec, JsonObject
from tests.codifier.shop import rules, subject

STOCK = FunctionSpec(
    name="shop.stock",
    parameters={"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
    effect=Effect.READ,
)
FIRST = """
def any_sku(shelf: str) -> str:
    \"\"\"Return the sku of something on a shelf.\"\"\"
    return {}
"""


def _example(shelf: str, stock: JsonObject, sku: str) -> Example:
    call = Call(function="shop.stock", arguments={"shelf": shelf}, result=dict(stock))
    return Example(task_id=shelf, query=f"something of {shelf}", arguments={"shelf": shelf}, result=sku, calls=(call,))


def _rules(expression: str, *examples: Example) -> list[str]:
    given = replace(
        subject(FIRST.format(expression), name="any_sku", evidence=Evidence(seen=examples)),
        candidate=Candidate(name="any_sku", scope="shop", source=FIRST.format(expression)),
        environment=EnvironmentView(name="shop", functions={"shop.stock": STOCK}),
    )
    return rules(tests_gate(given))


LEFT = _example("left", {"a1": 1, "b2": 2}, "a1")
RIGHT = _example("right", {"b2": 5, "a1": 4}, "b2")


def test_the_first_of_keys_that_come_in_several_orders_is_a_finding_that_says_so() -> None:
    assert "tests/key-order" in _rules("[*env.shop.stock(shelf=shelf)][0]", LEFT, RIGHT)


def test_where_the_order_is_always_the_same_it_is_the_environments() -> None:
    same = _example("right", {"a1": 5, "b2": 4}, "a1")
    assert "tests/key-order" not in _rules("[*env.shop.stock(shelf=shelf)][0]", LEFT, same)


def test_what_sorts_the_keys_does_not_depend_on_them() -> None:
    assert "tests/key-order" not in _rules("min(env.shop.stock(shelf=shelf))", LEFT, replace(RIGHT, result="a1"))
