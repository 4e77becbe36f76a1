"""What the agent may do at the desk: plain functions, and what the model is told of them."""

PEOPLE = ("ada", "bo", "cy", "di", "ed", "fay", "gus", "hal", "ida", "jo")
CUSTOMERS = {f"{name}@desk.test": f"C-{number}00" for number, name in enumerate(PEOPLE, start=1)}
TICKETS: dict[str, dict[str, str]] = {}


def find_customer(email: str) -> dict[str, str]:
    """Find a customer by e-mail address."""
    if email not in CUSTOMERS:
        raise LookupError(f"no customer has the address {email!r}")
    return {"customer_id": CUSTOMERS[email]}


def open_ticket(customer_id: str, text: str) -> dict[str, str]:
    """Open a ticket for a customer."""
    TICKETS[f"T-{len(TICKETS) + 1}"] = {"customer_id": customer_id, "text": text}
    return {"ticket_id": f"T-{len(TICKETS)}"}


def _tool(name: str, doc: str, *parameters: str) -> dict:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": doc, "parameters": schema}}


FUNCTIONS = {"find_customer": find_customer, "open_ticket": open_ticket}
TOOLS = [
    _tool("find_customer", "Find a customer by e-mail address.", "email"),
    _tool("open_ticket", "Open a ticket for a customer.", "customer_id", "text"),
]
