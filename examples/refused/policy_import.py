"""Totals."""


def policy_import(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    import os

    return float(len(os.listdir(customer)))
