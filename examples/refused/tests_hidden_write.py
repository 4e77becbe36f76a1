"""Totals."""


def tests_hidden_write(customer: str, limit: float) -> float:
    """Return what a customer paid; write to them when it is more than a limit."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    if limit < paid:
        env.mail.send(customer=customer, text=customer)
    return paid
