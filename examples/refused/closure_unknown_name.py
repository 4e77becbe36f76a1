"""Totals."""


def closure_unknown_name(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    return total_of(customer)
