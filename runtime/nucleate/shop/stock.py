"""What is on the shelves, what is missing there, and what is held for orders."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nucleate.environments import effect
from nucleate.shop.books import Books, found
from nucleate.shop.records import PurchaseOrder, Reservation, StockLevel
from nucleate.shop.shop_errors import InsufficientStock, InvalidAmount, ReservationNotFound, SupplierNotFound


@dataclass(frozen=True, kw_only=True)
class Shortage:
    """A product below its threshold, and how many pieces fill the shelf up to twice the threshold."""

    sku: str
    title: str
    on_hand: int
    missing: int


@dataclass(frozen=True, kw_only=True)
class Shortages:
    """All products of a supplier that are below their threshold."""

    supplier_id: str
    items: tuple[Shortage, ...]


class Stock:
    """The shelves."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def get_level(self, sku: str) -> StockLevel:
        """Look up how much of a product is there and on order."""
        self._books.product(sku)
        return self._books.stock[sku]

    @effect("read")
    def list_shortages(self, supplier_id: str) -> Shortages:
        """List a supplier's products that run low."""
        found(self._books.suppliers, supplier_id, SupplierNotFound, "supplier", "V-501")
        mine = [item for item in self._books.products.values() if item.supplier_id == supplier_id]
        items = tuple(
            Shortage(sku=item.sku, title=item.title, on_hand=level.on_hand, missing=2 * level.threshold - level.on_hand)
            for item in mine
            if (level := self._books.stock[item.sku]).on_hand + level.on_order < level.threshold
        )
        return Shortages(supplier_id=supplier_id, items=items)

    def reorder_product(self, sku: str, quantity: int) -> PurchaseOrder:
        """Reorder a product from its supplier."""
        if quantity <= 0:
            raise InvalidAmount(f"quantity is {quantity!r}; it must be greater than zero")
        level = self.get_level(sku)
        self._books.stock[sku] = replace(level, on_order=level.on_order + quantity)
        purchase_id = f"B-{70001 + len(self._books.purchases)}"
        purchase = PurchaseOrder(purchase_id=purchase_id, sku=sku, quantity=quantity)
        self._books.purchases.append(purchase)
        return purchase

    def release_reservation(self, reservation_id: str) -> Reservation:
        """Put pieces that were held for an order back on the shelf."""
        held = self._books.reservations.get(reservation_id)
        if held is None or not held.active:
            raise ReservationNotFound(
                f"nothing is held under {reservation_id!r}; orders.get_order names the reservation"
            )
        level = self._books.stock[held.sku]
        self._books.stock[held.sku] = replace(level, on_hand=level.on_hand + held.quantity)
        released = replace(held, active=False)
        self._books.reservations[reservation_id] = released
        return released

    def adjust_level(self, sku: str, change: int) -> StockLevel:
        """Correct the number of pieces on the shelf after a count.

        Args:
            change: Pieces found (positive) or missing (negative).
        """
        level = self.get_level(sku)
        if level.on_hand + change < 0:
            raise InsufficientStock(f"{sku!r} has {level.on_hand} pieces; a change by {change} is impossible")
        self._books.stock[sku] = replace(level, on_hand=level.on_hand + change)
        return self._books.stock[sku]
