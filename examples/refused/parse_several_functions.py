"""Totals."""


def parse_several_functions(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid


def other(customer: str) -> float:
    """Return the same."""
    return parse_several_functions(customer)
