"""Lists come in pages: one function cuts them, one record per kind of row carries them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from nucleate.shop.records import Customer, Letter, Order, OrderStatus, Product, Supplier
from nucleate.shop.shop_errors import InvalidPage

Row = TypeVar("Row")

LARGEST = 50


@dataclass(frozen=True, kw_only=True)
class OrderRow:
    """An order as lists show it."""

    order_id: str
    status: OrderStatus
    placed_on: str
    total: float

    @classmethod
    def of(cls, order: Order) -> OrderRow:
        """Return the order's row."""
        return cls(order_id=order.order_id, status=order.status, placed_on=order.placed_on, total=order.total)


@dataclass(frozen=True, kw_only=True)
class OrderPage:
    """One page of orders; `next_page` is null on the last."""

    orders: tuple[OrderRow, ...]
    count: int
    next_page: int | None


@dataclass(frozen=True, kw_only=True)
class CustomerPage:
    """One page of customers; `next_page` is null on the last."""

    customers: tuple[Customer, ...]
    count: int
    next_page: int | None


@dataclass(frozen=True, kw_only=True)
class ProductPage:
    """One page of products; `next_page` is null on the last."""

    products: tuple[Product, ...]
    count: int
    next_page: int | None


@dataclass(frozen=True, kw_only=True)
class SupplierPage:
    """One page of suppliers; `next_page` is null on the last."""

    suppliers: tuple[Supplier, ...]
    count: int
    next_page: int | None


@dataclass(frozen=True, kw_only=True)
class LetterPage:
    """One page of sent mail; `next_page` is null on the last."""

    letters: tuple[Letter, ...]
    count: int
    next_page: int | None


def cut(rows: Sequence[Row], page: int, page_size: int) -> tuple[tuple[Row, ...], int | None]:
    """Return the rows of a page (the first is 1) and the number of the next page, if there is one."""
    if not 1 <= page_size <= LARGEST:
        raise InvalidPage(f"page_size is {page_size!r}; choose 1 to {LARGEST}")
    last = max(1, -(-len(rows) // page_size))
    if not 1 <= page <= last:
        raise InvalidPage(f"page is {page!r}; there are pages 1 to {last}")
    start = (page - 1) * page_size
    return tuple(rows[start : start + page_size]), page + 1 if page < last else None
