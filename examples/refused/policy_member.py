"""Totals."""


def policy_member(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    import re

    return float(len(re.enum.sys.modules) + len(customer))
