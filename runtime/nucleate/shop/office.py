"""The back office: the shop's objects over one set of books, as an environment."""

from __future__ import annotations

from nucleate.environments import ObjectEnvironment
from nucleate.shop.catalog import Catalog
from nucleate.shop.customers import Customers
from nucleate.shop.money import Payments, Refunds
from nucleate.shop.orders import Orders
from nucleate.shop.outgoing import Mail, Reports, Shipping
from nucleate.shop.seeding import seeded_books
from nucleate.shop.stock import Stock


def open_shop(seed: int = 7) -> ObjectEnvironment:
    """Return a fresh shop; equal seeds give equal shops."""
    books = seeded_books(seed)
    return ObjectEnvironment(
        "shop",
        {
            "catalog": Catalog(books),
            "customers": Customers(books),
            "mail": Mail(books),
            "orders": Orders(books),
            "payments": Payments(books),
            "refunds": Refunds(books),
            "reports": Reports(books),
            "shipping": Shipping(books),
            "stock": Stock(books),
        },
    )
