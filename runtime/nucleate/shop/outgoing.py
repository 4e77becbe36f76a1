"""What leaves the house: parcels, mail and reports."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nucleate.environments import effect
from nucleate.shop.books import Books
from nucleate.shop.listing_pages import LetterPage, cut
from nucleate.shop.records import Letter, Report, Shipment, Template
from nucleate.shop.shop_errors import AlreadyCancelled, AlreadyShipped, ShipmentNotFound


@dataclass(frozen=True, kw_only=True)
class Tracking:
    """Where a parcel is."""

    tracking_code: str
    status: str
    location: str


@dataclass(frozen=True, kw_only=True)
class ReportList:
    """All reports that were filed."""

    reports: tuple[Report, ...]


class Shipping:
    """Parcels."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def find_parcel(self, order_id: str) -> Shipment:
        """Find the parcel of an order that was sent."""
        order = self._books.order(order_id)
        if order_id not in self._books.shipments:
            raise ShipmentNotFound(
                f"order {order_id!r} is {order.status} and has no parcel; shipping.book_parcel sends it"
            )
        return self._books.shipments[order_id]

    @effect("read")
    def track_parcel(self, tracking_code: str) -> Tracking:
        """Track a parcel."""
        for parcel in self._books.shipments.values():
            if parcel.tracking_code == tracking_code:
                return Tracking(tracking_code=tracking_code, status=parcel.status, location=parcel.location)
        raise ShipmentNotFound(f"no parcel has the tracking code {tracking_code!r}; shipping.find_parcel names it")

    def book_parcel(self, order_id: str, carrier: str) -> Shipment:
        """Hand an open order to a carrier."""
        order = self._books.order(order_id)
        if order.status == "cancelled":
            raise AlreadyCancelled(f"order {order_id!r} was cancelled; it cannot be sent")
        if order.status != "open":
            raise AlreadyShipped(f"order {order_id!r} is {order.status}; shipping.find_parcel shows its parcel")
        number = int(order_id.removeprefix("O-"))
        parcel = Shipment(
            shipment_id=f"S-{40000 + number}",
            order_id=order_id,
            carrier=carrier,
            tracking_code=f"TRK{number:08d}",
            status="in transit",
            location="our warehouse",
        )
        self._books.shipments[order_id] = parcel
        self._books.orders[order_id] = replace(order, status="shipped")
        return parcel


class Mail:
    """E-mail to customers and suppliers."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def send_mail(self, to: str, template: Template, reference: str) -> Letter:
        """Send a prepared e-mail.

        Args:
            to: The e-mail address.
            template: Which text to send.
            reference: The id that the text is about.
        """
        message_id = f"M-{10001 + len(self._books.letters)}"
        letter = Letter(message_id=message_id, to=to, template=template, reference=reference)
        self._books.letters.append(letter)
        return letter

    @effect("read")
    def list_mail(self, *, page: int = 1, page_size: int = 20) -> LetterPage:
        """List the e-mails that were sent, the latest first."""
        rows = list(reversed(self._books.letters))
        sent, next_page = cut(rows, page, page_size)
        return LetterPage(letters=sent, count=len(rows), next_page=next_page)


class Reports:
    """Counts for the management."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def file_report(self, title: str, count: int) -> Report:
        """File a count under a title."""
        report = Report(report_id=f"Y-{1 + len(self._books.reports):04d}", title=title, count=count)
        self._books.reports.append(report)
        return report

    @effect("read")
    def list_reports(self) -> ReportList:
        """List all reports, the oldest first."""
        return ReportList(reports=tuple(self._books.reports))
