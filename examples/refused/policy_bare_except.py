"""Totals."""


def policy_bare_except(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    try:
        return float(customer)
    except:
        return 0.0
