"""Totals."""


def types_type_arg(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    orders: list = env.orders.of_customer(customer=customer)["orders"]
    return float(len(orders))
