"""A help desk in three states: as it was, without a parameter, and with one more that nobody has to give."""

from __future__ import annotations

from dataclasses import dataclass, field

from nucleate import Recording, Runtime
from nucleate.environments import effect
from nucleate_tool_library import ToolVersion, read_signature
from tests.integration.desk import CUSTOMERS, QUERIES


@dataclass
class Found:
    """What all of them have."""

    tickets: dict[str, dict[str, str]] = field(default_factory=dict)

    @effect("read")
    def find_customer(self, email: str) -> dict[str, str]:
        """Find a customer by e-mail address.

        Args:
            email: The customer's e-mail address.
        """
        if email not in CUSTOMERS:
            raise LookupError(f"no customer has the address {email!r}")
        return {"customer_id": CUSTOMERS[email], "email": email}

    def _open(self, customer_id: str, text: str) -> dict[str, str]:
        number = f"t-{customer_id}-{len(text)}"
        self.tickets[number] = {"ticket_id": number, "customer_id": customer_id, "text": text}
        return self.tickets[number]


class Before(Found):
    """Tickets have a channel."""

    def open_ticket(self, customer_id: str, text: str, channel: str) -> dict[str, str]:
        """Open a ticket for a customer.

        Args:
            customer_id: The customer's id.
            text: What the customer says.
            channel: How the customer reached us.
        """
        return self._open(customer_id, text)


class Without(Found):
    """Tickets have no channel any more."""

    def open_ticket(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket for a customer.

        Args:
            customer_id: The customer's id.
            text: What the customer says.
        """
        return self._open(customer_id, text)


class WithMore(Found):
    """Tickets may have a language."""

    def open_ticket(self, customer_id: str, text: str, channel: str, language: str = "en") -> dict[str, str]:
        """Open a ticket for a customer.

        Args:
            customer_id: The customer's id.
            text: What the customer says.
            channel: How the customer reached us.
            language: The language of the text.
        """
        return self._open(customer_id, text)


def query(index: int) -> str:
    """Return the text of one task."""
    email, text = QUERIES[index]
    return f"{email} writes: {text}. Open a ticket."


def solve(run: Recording, index: int) -> None:
    """Do one task call by call."""
    email, text = QUERIES[index]
    customer = run.env.desk.find_customer(email=email)["customer_id"]
    run.env.desk.open_ticket(customer_id=customer, text=text, channel="mail")


def live(runtime: Runtime, tasks: range) -> None:
    """Let an agent do tasks, and learn from them."""
    for index in tasks:
        with runtime.record(query(index), task_id=f"task-{index}") as run:
            solve(run, index)


LOUD = '''\
"""Tickets by hand."""


def open_loud_ticket(customer_id: str, text: str) -> dict[str, str]:
    """Open a ticket by phone.

    Args:
        customer_id: The customer's id.
        text: What the customer says.
    """
    return env.desk.open_ticket(customer_id=customer_id, text=text, channel="phone")
'''
LOUDER = '''\
"""Tickets by hand."""


def open_two_tickets(customer_id: str, text: str) -> list[dict[str, str]]:
    """Open a ticket twice.

    Args:
        customer_id: The customer's id.
        text: What the customer says.
    """
    return [open_loud_ticket(customer_id=customer_id, text=text), open_loud_ticket(customer_id=customer_id, text=text)]
'''


def by_hand(name: str, source: str, *, calls: tuple[ToolVersion, ...] = ()) -> ToolVersion:
    """Return a version that a person wrote: no plan stands behind it."""
    return ToolVersion(
        name=name,
        scope="desk",
        source=source,
        signature=read_signature(source, name),
        capabilities=() if calls else ("desk.open_ticket",),
        dependencies=tuple(item.id for item in calls),
    )
