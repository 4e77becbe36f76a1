"""Totals."""

import re

PATTERN = re.compile("W[0-9")


def compile_does_not_load(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if PATTERN.match(order["id"]) and order["status"] == "delivered":
            paid += order["total"]
    return paid
