"""Totals."""


def policy_attribute(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    return float(len(customer.__class__.__name__))
