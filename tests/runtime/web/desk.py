"""A small library to look at: a help desk whose runs have become a tool, and a client that was let in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from nucleate import Runtime, Settings, effect
from nucleate.web import HostNames, Site, WebAccess, WebRole, make_web_app
from nucleate.web.gatekeeping import WebLimits

PORT = 8322
HOME = f"http://127.0.0.1:{PORT}"
TOOL = "open_ticket_with_customer"
TASKS = {
    "ada@desk.test": "it hums",
    "bo@desk.test": "no sound",
    "cy@desk.test": "black screen",
    "di@desk.test": "flat battery",
    "ed@desk.test": "stuck keys",
}


class Desk:
    """A help desk."""

    @effect("read")
    def find_customer(self, email: str) -> dict[str, str]:
        """Find a customer by e-mail address."""
        return {"customer_id": f"c-{email.split('@')[0]}"}

    def open_ticket(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket for a customer."""
        return {"ticket_id": f"t-{customer_id}-{len(text)}"}


def desk_settings(place: Path) -> Settings:
    """Return settings without Docker: verdicts are provisional, and such tools may serve."""
    return Settings(database=str(place), sandbox="monty", allow_provisional=True)


def learned(place: Path) -> Path:
    """Make a database in which five tasks have become a tool."""
    with Runtime(Desk(), settings=desk_settings(place)) as runtime:
        for email, text in TASKS.items():
            with runtime.record(f"{email} says: {text}. Open a ticket.") as run:
                customer = run.env.desk.find_customer(email=email)
                run.env.desk.open_ticket(customer_id=customer["customer_id"], text=text)
        runtime.wait()
    return place


@contextmanager
def visiting(place: Path, *, role: WebRole = WebRole.CHANGE, limits: WebLimits | None = None) -> Iterator[TestClient]:
    """Yield a client of a server over a database, with a session of a role."""
    site, access = Site(desk_settings(place)), WebAccess()
    app = make_web_app(
        site, access, HostNames(port=PORT, names=["127.0.0.1", "localhost"]), limits=limits, say=lambda _: None
    )
    try:
        with TestClient(app, base_url=HOME, headers={"origin": HOME}) as client:
            client.get(f"/enter?key={access.link_key(role)}")
            yield client
    finally:
        site.close()


def token(client: TestClient, page: str) -> str:
    """Return the token of the forms of a page."""
    found = re.search(r'name="token" value="([^"]+)"', client.get(page).text)
    assert found is not None
    return found[1]
