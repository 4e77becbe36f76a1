"""Totals."""


def policy_name(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    return float(len(__builtins__) + len(customer))
