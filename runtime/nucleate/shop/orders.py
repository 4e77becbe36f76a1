"""Orders: reading, listing, changing, cancelling, purging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nucleate.environments import effect
from nucleate.shop.books import Books
from nucleate.shop.listing_pages import OrderPage, OrderRow, cut
from nucleate.shop.records import Address, Note, NoteKind, Order, OrderStatus
from nucleate.shop.shop_errors import AlreadyCancelled, AlreadyShipped


@dataclass(frozen=True, kw_only=True)
class Purged:
    """How many orders were deleted."""

    deleted: int


class Orders:
    """The order book."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def get_order(self, order_id: str) -> Order:
        """Look up an order.

        Args:
            order_id: The order's id, such as O-20001.
        """
        return self._books.order(order_id)

    @effect("read")
    def list_orders(self, customer_id: str, *, page: int = 1, page_size: int = 10) -> OrderPage:
        """List a customer's orders from the latest on."""
        return _page(self._books.orders_of(customer_id), page, page_size)

    @effect("read")
    def list_open_orders(self, customer_id: str) -> OrderPage:
        """List a customer's open orders from the latest on."""
        rows = [order for order in self._books.orders_of(customer_id) if order.status == "open"]
        return OrderPage(orders=tuple(OrderRow.of(order) for order in rows), count=len(rows), next_page=None)

    @effect("read")
    def list_orders_by_status(self, status: OrderStatus, *, page: int = 1, page_size: int = 20) -> OrderPage:
        """List all orders in a status, the oldest first."""
        return _page([order for order in self._books.orders.values() if order.status == status], page, page_size)

    def change_address(self, order_id: str, street: str, postcode: str, city: str) -> Order:
        """Change the address of an open order.

        Args:
            street: The street with the number.
            postcode: The postal code.
            city: The town or city.
        """
        order = self._changeable(order_id)
        return self._store(replace(order, address=Address(street=street, postcode=postcode, city=city)))

    def cancel_order(self, order_id: str) -> Order:
        """Cancel an open order.

        Its stock and its payment are released by functions of their own.
        """
        return self._store(replace(self._changeable(order_id), status="cancelled"))

    def add_note(self, order_id: str, kind: NoteKind, reference: str) -> Note:
        """Note something on an order.

        Args:
            kind: What the note is about.
            reference: The id of the refund, customer or message that it refers to.
        """
        note = Note(order_id=self._books.order(order_id).order_id, kind=kind, reference=reference)
        self._books.notes.append(note)
        return note

    @effect("destructive")
    def purge_orders(self, before: str) -> Purged:
        """Delete all delivered and cancelled orders placed before a day, for good.

        Args:
            before: The day as YYYY-MM-DD.
        """
        old = [
            order.order_id
            for order in self._books.orders.values()
            if order.status in ("delivered", "cancelled") and order.placed_on < before
        ]
        for order_id in old:
            del self._books.orders[order_id]
        return Purged(deleted=len(old))

    def _changeable(self, order_id: str) -> Order:
        order = self._books.order(order_id)
        if order.status == "cancelled":
            raise AlreadyCancelled(f"order {order_id!r} was cancelled; nothing about it can be changed")
        if order.status != "open":
            raise AlreadyShipped(f"order {order_id!r} is {order.status}; only open orders can be changed")
        return order

    def _store(self, order: Order) -> Order:
        self._books.orders[order.order_id] = order
        return order


def _page(orders: Sequence[Order], page: int, page_size: int) -> OrderPage:
    rows, next_page = cut(orders, page, page_size)
    return OrderPage(orders=tuple(OrderRow.of(order) for order in rows), count=len(orders), next_page=next_page)
