"""Totals."""


def closure_env_alias(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    orders = env.orders
    paid = 0.0
    for order in orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid
