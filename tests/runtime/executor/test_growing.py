"""Offers grow with a run, and nothing is told twice."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.executor.growing import GrowingOffers
from nucleate_text_memory import Step, StepError
from nucleate_tool_library import ToolVersion, read_signature


def _version(name: str) -> ToolVersion:
    source = f'def {name}(customer_id: str) -> str:\n    """Do {name}."""\n    return env.shop.look(id=customer_id)\n'
    return ToolVersion(name=name, scope="shop", source=source, signature=read_signature(source, name))


FIRST, SECOND = _version("orders_of"), _version("cards_of")


def _fitting(answers: Sequence[str]) -> list[ToolVersion]:
    return [FIRST, SECOND] if any("c-4471" in text for text in answers) else [FIRST]


def _found(result: str) -> Step:
    return Step(function="shop.find", arguments={}, result=result)


def test_a_tool_is_told_once_what_it_needs_is_known() -> None:
    offers = GrowingOffers(_fitting, shown=["orders_of"])
    assert offers.after([_found("nobody")]) == ""
    assert "cards_of(customer_id: str)" in offers.after([_found("c-4471")])
    assert offers.after([_found("c-4471")]) == ""


def test_a_call_that_failed_makes_nothing_known() -> None:
    failed = Step(function="shop.find", arguments={}, error=StepError(kind="Refused", message="c-4471"))
    assert GrowingOffers(_fitting, shown=[]).after([failed]) == ""
