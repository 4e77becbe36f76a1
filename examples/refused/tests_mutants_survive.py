"""Totals."""


def tests_mutants_survive(customer: str) -> float:
    """Return what a customer paid for what was delivered; large orders have a discount."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered" and order["total"] > 1:
            if order["total"] > 1000:
                paid += order["total"] * 0.9 - 10
            else:
                paid += order["total"]
    return paid
