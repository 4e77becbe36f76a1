"""What the shop refuses: each class is a kind of error that an agent sees by name."""

from __future__ import annotations


class ShopError(Exception):
    """A request that the shop refuses; the message names the value and what to do."""


class NotFound(ShopError):
    """There is no such record."""


class CustomerNotFound(NotFound):
    """No customer has this id, address, number or name."""


class OrderNotFound(NotFound):
    """No order has this id."""


class ProductNotFound(NotFound):
    """No product has this SKU."""


class SupplierNotFound(NotFound):
    """No supplier has this id or name."""


class PaymentNotFound(NotFound):
    """No payment has this id."""


class ShipmentNotFound(NotFound):
    """No parcel belongs to this order or tracking code."""


class ReservationNotFound(NotFound):
    """No stock is held under this reservation."""


class AlreadyShipped(ShopError):
    """The order has left the house and can no longer be changed."""


class AlreadyCancelled(ShopError):
    """The order was cancelled before."""


class AlreadyRefunded(ShopError):
    """Money went back already, so that the payment cannot be voided."""


class InsufficientStock(ShopError):
    """The shelf holds fewer pieces than are asked for."""


class RefundTooLarge(ShopError):
    """The refund exceeds what was paid and not yet returned."""


class InvalidAmount(ShopError):
    """A quantity or an amount of money must be greater than zero."""


class InvalidPage(ShopError):
    """The page number or size is out of range."""
