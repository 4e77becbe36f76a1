"""Refunds."""


def generality_near_duplicate(customer: str, share: float) -> list[str]:
    """Refund a share of each delivered order of a customer, and return the refunds' ids."""
    ids = []
    for order in env.orders.of_customer(customer=customer)["orders"]:
        if order["status"] == "delivered":
            ids.append(env.refunds.create(order_id=order["id"], amount=order["total"] * share)["refund_id"])
    return ids
