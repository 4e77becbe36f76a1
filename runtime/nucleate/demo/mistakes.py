"""Mistakes as people make them: a wrong call, an error, and then the right call."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from nucleate_sandbox import FunctionError, Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """How the first call of one function goes wrong; the environment refuses it, so that no harm is done."""

    name: str
    function: str
    spoil: Callable[[JsonObject], JsonObject]


class Clumsy:
    """Calls like the one it wraps, except that it makes its mistake once, before the call that it meant."""

    def __init__(self, call: Callable[[str, JsonObject], Json], mistake: Mistake | None) -> None:
        self._call = call
        self._mistake = mistake

    def __call__(self, function: str, /, **arguments: Json) -> Any:
        mistake = self._mistake
        if mistake is not None and mistake.function == function:
            self._mistake = None
            with suppress(FunctionError):
                self._call(function, mistake.spoil(arguments))
        return self._call(function, arguments)


def _text(arguments: JsonObject, name: str, change: Callable[[str], str]) -> JsonObject:
    return {**arguments, name: change(cast("str", arguments[name]))}


CENTS = Mistake(
    name="gives the amount in cents",
    function="refunds.create_refund",
    spoil=lambda arguments: {**arguments, "amount": round(cast("float", arguments["amount"]) * 100, 2)},
)
BARE_ID = Mistake(
    name="leaves the letter out of an order id",
    function="orders.get_order",
    spoil=lambda arguments: _text(arguments, "order_id", lambda text: text.removeprefix("O-")),
)
TYPO = Mistake(
    name="drops a letter of an e-mail address",
    function="customers.find_customer_by_email",
    spoil=lambda arguments: _text(arguments, "email", lambda text: text[0] + text[2:]),
)
NO_QUANTITY = Mistake(
    name="forgets how many to order",
    function="stock.reorder_product",
    spoil=lambda arguments: {"sku": arguments["sku"]},
)
LOWER_CASE = Mistake(
    name="writes a name in lower case",
    function="customers.find_customer_by_name",
    spoil=lambda arguments: _text(arguments, "name", str.lower),
)
NO_HYPHEN = Mistake(
    name="leaves the hyphen out of a telephone number",
    function="customers.find_customer_by_phone",
    spoil=lambda arguments: _text(arguments, "phone", lambda text: text.replace("-", "")),
)
FROM_ZERO = Mistake(
    name="counts pages from zero",
    function="orders.list_orders_by_status",
    spoil=lambda arguments: {**arguments, "page": 0},
)
