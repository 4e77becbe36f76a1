"""Totals."""


def parse_newer_syntax(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    orders = env.orders.of_customer(customer=customer)["orders"]
    return float(len(f"{'\n'.join([order['id'] for order in orders])}"))
