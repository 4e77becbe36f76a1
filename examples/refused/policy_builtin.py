"""Totals."""


def policy_builtin(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    return float(eval(customer))
