"""The shop's books: every table, and look-ups that say what is missing."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, TypeVar

from nucleate.shop import records
from nucleate.shop.shop_errors import CustomerNotFound, NotFound, OrderNotFound, PaymentNotFound, ProductNotFound

R = TypeVar("R")


@dataclass(kw_only=True)
class Books:
    """Tables by id, and logs in the order of their making. A deep copy shares the frozen records."""

    customers: dict[str, records.Customer] = field(default_factory=dict)
    orders: dict[str, records.Order] = field(default_factory=dict)
    products: dict[str, records.Product] = field(default_factory=dict)
    suppliers: dict[str, records.Supplier] = field(default_factory=dict)
    stock: dict[str, records.StockLevel] = field(default_factory=dict)
    reservations: dict[str, records.Reservation] = field(default_factory=dict)
    payments: dict[str, records.Payment] = field(default_factory=dict)
    shipments: dict[str, records.Shipment] = field(default_factory=dict)
    refunds: list[records.Refund] = field(default_factory=list)
    purchases: list[records.PurchaseOrder] = field(default_factory=list)
    letters: list[records.Letter] = field(default_factory=list)
    notes: list[records.Note] = field(default_factory=list)
    contacts: list[records.Contact] = field(default_factory=list)
    reports: list[records.Report] = field(default_factory=list)
    exports: list[records.Export] = field(default_factory=list)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return type(self)(**{item.name: copy.copy(getattr(self, item.name)) for item in fields(self)})

    def customer(self, customer_id: str) -> records.Customer:
        """Return a customer by id."""
        return found(self.customers, customer_id, CustomerNotFound, "customer", "C-1001")

    def order(self, order_id: str) -> records.Order:
        """Return an order by id."""
        return found(self.orders, order_id, OrderNotFound, "order", "O-20001")

    def product(self, sku: str) -> records.Product:
        """Return a product by SKU."""
        return found(self.products, sku, ProductNotFound, "product", "SKU-3001")

    def payment(self, payment_id: str) -> records.Payment:
        """Return a payment by id."""
        return found(self.payments, payment_id, PaymentNotFound, "payment", "P-40001")

    def orders_of(self, customer_id: str) -> list[records.Order]:
        """Return a customer's orders, the latest first."""
        owner = self.customer(customer_id).customer_id
        mine = [order for order in self.orders.values() if order.customer_id == owner]
        return sorted(mine, key=lambda order: (order.placed_on, order.order_id), reverse=True)


def found(table: Mapping[str, R], key: str, error: type[NotFound], noun: str, example: str) -> R:
    """Return the record, or raise the error that says what ids look like."""
    if key not in table:
        raise error(f"no {noun} has the id {key!r}; ids look like {example}")
    return table[key]
