"""Totals."""


def generality_from_one_run(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered" or order["id"] == "W102":
            paid += order["total"]
    return paid
