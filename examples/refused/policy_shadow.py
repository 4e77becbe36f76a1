"""Totals."""


def policy_shadow(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    env = customer
    paid = 0.0
    for order in env.orders.of_customer(customer=env)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    return paid
