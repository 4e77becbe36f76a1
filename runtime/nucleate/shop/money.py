"""Payments and refunds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nucleate.environments import effect
from nucleate.shop.books import Books
from nucleate.shop.records import Payment, PaymentStatus, Refund, RefundReason
from nucleate.shop.shop_errors import AlreadyRefunded, InvalidAmount, RefundTooLarge


@dataclass(frozen=True, kw_only=True)
class RefundList:
    """The refunds of one payment."""

    refunds: tuple[Refund, ...]


class Payments:
    """Money that came in."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def get_payment(self, payment_id: str) -> Payment:
        """Look up a payment.

        Args:
            payment_id: The payment's id, such as P-40001.
        """
        return self._books.payment(payment_id)

    def void_payment(self, payment_id: str) -> Payment:
        """Void a payment that was not refunded in part."""
        payment = self._books.payment(payment_id)
        if payment.refunded > 0 or payment.status == "voided":
            raise AlreadyRefunded(f"payment {payment_id!r} is {payment.status}; refunds.list_refunds shows why")
        voided = replace(payment, status="voided", refunded=payment.captured)
        self._books.payments[payment_id] = voided
        return voided


class Refunds:
    """Money that goes back."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def create_refund(self, payment_id: str, amount: float, reason: RefundReason) -> Refund:
        """Refund a payment in part or whole.

        Args:
            amount: How much, in the currency of the payment and not in cents.
        """
        payment = self._books.payment(payment_id)
        left = round(payment.captured - payment.refunded, 2)
        if amount <= 0:
            raise InvalidAmount(f"amount is {amount!r}; it must be greater than zero")
        if amount > left:
            raise RefundTooLarge(f"amount is {amount!r}, but only {left} of payment {payment_id!r} can be refunded")
        self._books.payments[payment_id] = _refunded(payment, amount)
        refund_id = f"R-{90001 + len(self._books.refunds)}"
        refund = Refund(refund_id=refund_id, payment_id=payment_id, amount=amount, reason=reason)
        self._books.refunds.append(refund)
        return refund

    @effect("read")
    def list_refunds(self, payment_id: str) -> RefundList:
        """List the refunds of a payment, the oldest first."""
        wanted = self._books.payment(payment_id).payment_id
        return RefundList(refunds=tuple(item for item in self._books.refunds if item.payment_id == wanted))


def _refunded(payment: Payment, amount: float) -> Payment:
    refunded = round(payment.refunded + amount, 2)
    status: PaymentStatus = "refunded" if refunded >= payment.captured else "partly refunded"
    return replace(payment, refunded=refunded, status=status)
