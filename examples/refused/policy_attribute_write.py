"""Totals."""

from dataclasses import dataclass


@dataclass
class Sum:
    value: float


def policy_attribute_write(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    sum_ = Sum(value=0.0)
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            sum_.value = sum_.value + order["total"]
    return sum_.value
