"""Totals."""


def tests_swallows_errors(customer: str, text: str) -> float:
    """Write to a customer, and return what they paid."""
    paid = 0.0
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            paid += order["total"]
    try:
        env.mail.send(customer=customer, text=text)
    except FunctionError:
        pass
    return paid
