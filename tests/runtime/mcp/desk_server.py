"""An MCP server of somebody else's: a help desk with customers and tickets, over standard input and output."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

PEOPLE = {f"{name}@example.org": f"C{number}" for number, name in enumerate(("ann", "bo", "cy", "di", "eva", "fay"), 1)}
server = MCPServer("help-desk")


class Customer(BaseModel):
    """A customer."""

    id: str
    email: str


class Ticket(BaseModel):
    """A ticket."""

    number: int
    customer_id: str
    subject: str


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def find_customer(email: Annotated[str, Field(description="The customer's address.")]) -> Customer:
    """Find a customer by e-mail address."""
    if email not in PEOPLE:
        raise ValueError(f"no customer has the address {email}")
    return Customer(id=PEOPLE[email], email=email)


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False))
def open_ticket(customer_id: str, subject: str) -> Ticket:
    """Open a ticket for a customer."""
    return Ticket(number=100 + len(subject), customer_id=customer_id, subject=subject)


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False))
def notify_customer(customer_id: str, ticket_number: int) -> str:
    """Tell a customer the number of a ticket."""
    return f"{customer_id} knows of {ticket_number}"


if __name__ == "__main__":
    server.run()
