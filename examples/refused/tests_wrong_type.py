"""Totals."""


def tests_wrong_type(customer: str, parts: int) -> float:
    """Return the rate for a customer's orders, each in so many parts."""
    import json

    rates = json.loads('{"1": 0.5, "2": 0.25, "3": 0.125}')
    orders = env.orders.of_customer(customer=customer)["orders"]
    return rates.get(str(len(orders) * parts))
