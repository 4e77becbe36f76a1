"""Totals."""

import math


def policy_module_alias(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    tools = [math]
    paid = math.fsum([])
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid
