"""Totals."""


def closure_unusable_tool(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    return closure_unknown_name(customer) / 2
