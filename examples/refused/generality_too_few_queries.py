"""Totals."""


def generality_too_few_queries(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid
