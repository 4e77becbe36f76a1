"""Totals."""


def parse_identifier(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    paіd = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paіd += order["total"]
    return paіd
