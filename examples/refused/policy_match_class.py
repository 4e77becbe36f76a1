"""Totals."""


def policy_match_class(customer: str) -> float:
    """Return what a customer paid for the orders that were delivered."""
    match customer:
        case str(real=part):
            return float(part)
    return 0.0
