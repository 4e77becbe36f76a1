"""Totals."""

paid = 0.0


def policy_construct(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    global paid
    paid = float(len(customer))
    return paid
