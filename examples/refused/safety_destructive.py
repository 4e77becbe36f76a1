"""Totals."""


def safety_destructive(customer: str) -> str:
    """Remove a customer for good, and return who it was."""
    return env.customers.erase(customer=customer)["erased"]
