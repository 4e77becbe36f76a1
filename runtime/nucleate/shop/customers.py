"""Customers: finding them, their address, contact log, export and erasure."""

from __future__ import annotations

from dataclasses import replace

from nucleate.environments import effect
from nucleate.shop.books import Books
from nucleate.shop.listing_pages import CustomerPage, cut
from nucleate.shop.records import Address, Contact, Customer, Export
from nucleate.shop.shop_errors import CustomerNotFound


class Customers:
    """The customer register."""

    def __init__(self, books: Books) -> None:
        self._books = books

    @effect("read")
    def get_customer(self, customer_id: str) -> Customer:
        """Look up a customer.

        Args:
            customer_id: The customer's id, such as C-1001.
        """
        return self._books.customer(customer_id)

    @effect("read")
    def find_customer_by_email(self, email: str) -> Customer:
        """Find a customer by e-mail address.

        Args:
            email: The customer's e-mail address, exactly.
        """
        return self._find("email", email)

    @effect("read")
    def find_customer_by_phone(self, phone: str) -> Customer:
        """Find a customer by telephone number.

        Args:
            phone: The number as customers give it, such as 555-2000.
        """
        return self._find("phone", phone)

    @effect("read")
    def find_customer_by_name(self, name: str) -> Customer:
        """Find a customer by name.

        Args:
            name: The customer's full name, exactly.
        """
        return self._find("name", name)

    @effect("read")
    def search_customers(self, text: str, *, page: int = 1, page_size: int = 10) -> CustomerPage:
        """List customers whose name or e-mail address contains a text, without regard to case."""
        wanted = text.casefold()
        rows = [c for c in self._books.customers.values() if wanted in f"{c.name} {c.email}".casefold()]
        found, next_page = cut(rows, page, page_size)
        return CustomerPage(customers=found, count=len(rows), next_page=next_page)

    def update_address(self, customer_id: str, street: str, postcode: str, city: str) -> Customer:
        """Set a customer's address, to which future orders go.

        Args:
            street: The street with the number.
            postcode: The postal code.
            city: The town or city.
        """
        address = Address(street=street, postcode=postcode, city=city)
        changed = replace(self._books.customer(customer_id), address=address)
        self._books.customers[customer_id] = changed
        return changed

    def log_contact(self, customer_id: str, channel: str, topic: str, reference: str) -> Contact:
        """Log that a customer was in touch.

        Args:
            channel: How: by_mail, by_phone or in_person.
            topic: What about, as one word.
            reference: The id of the order, parcel or refund in question.
        """
        owner = self._books.customer(customer_id).customer_id
        contact = Contact(customer_id=owner, channel=channel, topic=topic, reference=reference)
        self._books.contacts.append(contact)
        return contact

    def export_customer(self, customer_id: str) -> Export:
        """Export everything that is stored about a customer."""
        count = len(self._books.orders_of(customer_id))
        export_id = f"X-{80001 + len(self._books.exports)}"
        made = Export(export_id=export_id, customer_id=customer_id, orders=count)
        self._books.exports.append(made)
        return made

    @effect("destructive")
    def erase_customer(self, customer_id: str) -> Customer:
        """Delete a customer for good.

        Orders stay, without a name. The result is what was deleted.
        """
        self._books.customer(customer_id)
        return self._books.customers.pop(customer_id)

    def _find(self, field: str, value: str) -> Customer:
        for customer in self._books.customers.values():
            if getattr(customer, field) == value:
                return customer
        raise CustomerNotFound(
            f"no customer has the {field} {value!r}; customers.search_customers finds parts of names"
        )
