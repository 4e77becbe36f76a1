"""Totals."""


def tests_crash(customer: str, budget: float) -> float:
    """Return how often what a customer paid fits into a budget."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid / budget
