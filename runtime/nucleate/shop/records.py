"""The shop's records. They are frozen: a change replaces a record, so that a copy of the books need not copy them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OrderStatus = Literal["open", "shipped", "delivered", "cancelled"]
PaymentStatus = Literal["captured", "partly refunded", "refunded", "voided"]
RefundReason = Literal["damaged_in_transit", "wrong_item", "late_delivery", "goodwill_gesture"]
NoteKind = Literal["refund_issued", "address_changed", "customer_contact", "other"]
Template = Literal[
    "refund_confirmation",
    "shipment_status",
    "purchase_order",
    "address_confirmation",
    "cancellation_notice",
    "data_export",
]


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where parcels go."""

    street: str
    postcode: str
    city: str


@dataclass(frozen=True, kw_only=True)
class Customer:
    """Somebody who buys."""

    customer_id: str
    name: str
    email: str
    phone: str
    address: Address


@dataclass(frozen=True, kw_only=True)
class Line:
    """One product in an order; `price` is that of one piece."""

    sku: str
    title: str
    quantity: int
    price: float


@dataclass(frozen=True, kw_only=True)
class Order:
    """What was bought, by whom, where it goes, and under which reservation its stock is held."""

    order_id: str
    customer_id: str
    status: OrderStatus
    placed_on: str
    lines: tuple[Line, ...]
    total: float
    payment_id: str
    reservation_id: str
    address: Address


@dataclass(frozen=True, kw_only=True)
class Product:
    """Something that the shop sells."""

    sku: str
    title: str
    price: float
    supplier_id: str


@dataclass(frozen=True, kw_only=True)
class Supplier:
    """Somebody who delivers products."""

    supplier_id: str
    name: str
    email: str


@dataclass(frozen=True, kw_only=True)
class StockLevel:
    """Pieces on the shelf, pieces ordered from the supplier, and the least number that should be there."""

    sku: str
    on_hand: int
    on_order: int
    threshold: int


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """Pieces held for an order."""

    reservation_id: str
    order_id: str
    sku: str
    quantity: int
    active: bool


@dataclass(frozen=True, kw_only=True)
class PurchaseOrder:
    """Pieces ordered from a supplier."""

    purchase_id: str
    sku: str
    quantity: int


@dataclass(frozen=True, kw_only=True)
class Payment:
    """Money taken for an order, and how much of it went back."""

    payment_id: str
    order_id: str
    captured: float
    refunded: float
    status: PaymentStatus


@dataclass(frozen=True, kw_only=True)
class Refund:
    """Money returned."""

    refund_id: str
    payment_id: str
    amount: float
    reason: RefundReason


@dataclass(frozen=True, kw_only=True)
class Shipment:
    """A parcel under way or delivered."""

    shipment_id: str
    order_id: str
    carrier: str
    tracking_code: str
    status: str
    location: str


@dataclass(frozen=True, kw_only=True)
class Letter:
    """An e-mail that was sent."""

    message_id: str
    to: str
    template: Template
    reference: str


@dataclass(frozen=True, kw_only=True)
class Note:
    """A remark on an order; `reference` is the id of what it is about."""

    order_id: str
    kind: NoteKind
    reference: str


@dataclass(frozen=True, kw_only=True)
class Contact:
    """A conversation with a customer, as the log keeps it."""

    customer_id: str
    channel: str
    topic: str
    reference: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """A count that was filed."""

    report_id: str
    title: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Export:
    """Everything that the shop knows about a customer, packed."""

    export_id: str
    customer_id: str
    orders: int
