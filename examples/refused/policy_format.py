"""Totals."""


def policy_format(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    text = "{0}"
    return float(len(text.format(customer)))
