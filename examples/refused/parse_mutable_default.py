"""Totals."""


def parse_mutable_default(customer: str, statuses: list[str] = []) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] in statuses:
            paid += order["total"]
    return paid
