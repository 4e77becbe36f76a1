"""Totals."""


def types_union_attr(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    import re

    return float(re.match("[0-9]+", customer).group())
