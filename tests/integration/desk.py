"""A tiny help desk for integration tests: four functions, and an agent that does the same thing again and again."""

from __future__ import annotations

from dataclasses import dataclass, field

from nucleate.environments import effect
from nucleate.recording import Recording

CUSTOMERS = {
    f"{name}@desk.test": f"c-{name}-{number}" for number, name in enumerate(["ada", "bo", "cy", "di", "ed", "fay"], 11)
}
QUERIES = [
    ("ada@desk.test", "the printer hums"),
    ("bo@desk.test", "no sound at all"),
    ("cy@desk.test", "screen stays black"),
    ("di@desk.test", "battery drains fast"),
    ("ed@desk.test", "keys are stuck"),
    ("fay@desk.test", "lost the charger"),
]


@dataclass
class Desk:
    """Customers and their tickets."""

    tickets: dict[str, dict[str, str]] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)

    @effect("read")
    def find_customer(self, email: str) -> dict[str, str]:
        """Find a customer by e-mail address.

        Args:
            email: The customer's e-mail address.
        """
        if email not in CUSTOMERS:
            raise LookupError(f"no customer has the address {email!r}")
        return {"customer_id": CUSTOMERS[email], "email": email}

    def open_ticket(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket for a customer.

        Args:
            customer_id: The customer's id.
            text: What the customer says.
        """
        number = f"t-{customer_id}-{len(text)}"
        self.tickets[number] = {"ticket_id": number, "customer_id": customer_id, "text": text}
        return self.tickets[number]

    def notify(self, customer_id: str, ticket_id: str) -> dict[str, str]:
        """Tell a customer that a ticket is open.

        Args:
            customer_id: The customer's id.
            ticket_id: The ticket's id.
        """
        self.sent.append(ticket_id)
        return {"status": "sent", "ticket_id": ticket_id}


def query(index: int) -> str:
    """Return the text of one task."""
    email, text = QUERIES[index]
    return f"{email} writes: {text}. Open a ticket and tell them."


def solve(run: Recording, index: int) -> None:
    """Do one task call by call, as an agent without tools would."""
    email, text = QUERIES[index]
    customer = run.env.desk.find_customer(email=email)["customer_id"]
    ticket = run.env.desk.open_ticket(customer_id=customer, text=text)["ticket_id"]
    run.env.desk.notify(customer_id=customer, ticket_id=ticket)
