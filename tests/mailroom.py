"""A mailroom whose plan the trace codifier refuses (how often it prints stands in no result), and writers for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from nucleate.environments import effect
from nucleate.recording import Recording

STREETS = {
    "Ada": "Quay 1-zq7",
    "Bo": "Mill Lane 2-zq8",
    "Cy": "High Street 3-zq9",
    "Di": "Park Row 4-zq4",
    "Ed": "Long Acre 5-zq5",
}
# What only the recorded answers hold: no prompt may ever show it.
MARK = re.compile(r"zq\d|L-\d")
TASKS = [("Ada", 2), ("Bo", 3), ("Cy", 1), ("Di", 4), ("Ed", 2)]


@dataclass
class Mailroom:
    """Addresses, and labels that are printed one at a time."""

    printed: list[str] = field(default_factory=list)

    @effect("read")
    def find_street(self, customer: str) -> dict[str, str]:
        """Find the street of a customer.

        Args:
            customer: The customer's first name.
        """
        if customer not in STREETS:
            raise LookupError(f"no customer is called {customer!r}")
        return {"customer": customer, "street": STREETS[customer]}

    def print_label(self, street: str) -> dict[str, str]:
        """Print one address label.

        Args:
            street: The street that stands on the label.
        """
        self.printed.append(street)
        return {"label_id": f"L-{len(self.printed)}", "street": street}


def query(index: int) -> str:
    """Return the text of one task."""
    customer, count = TASKS[index]
    return f"Please print {count} labels for {customer}"


def solve(run: Recording, index: int) -> None:
    """Do one task call by call."""
    customer, count = TASKS[index]
    street = run.env.mailroom.find_street(customer=customer)["street"]
    for _ in range(count):
        run.env.mailroom.print_label(street=street)


GOOD = '''\
"""Labels."""


def print_labels(customer: str, count: int) -> list[dict[str, str]]:
    """Print a number of address labels for a customer.

    Args:
        customer: The customer's first name.
        count: How many labels to print; 100 at most are printed in one call.
    """
    street = env.mailroom.find_street(customer=customer)["street"]
    return [env.mailroom.print_label(street=street) for _ in range(min(count, 100))]
'''
UNBOUNDED = GOOD.replace("min(count, 100)", "count")
INVENTED = GOOD.replace("find_street(customer=customer)", "street_of(name=customer)")
ALWAYS_TWO = GOOD.replace("min(count, 100)", "2 if count else 1")
SUITE = """\
def test_it_prints_as_many_labels_as_asked():
    assert len(tool(customer="{customer}", count={count})) == {count}
"""
ASKED = re.compile(r"^(\d+)\. Please print (\d+) labels for (\w+)$", re.MULTILINE)


def submission(source: str, prompt: str, name: str = "print_labels") -> str:
    """Return a submission of one helper that claims every query of the prompt."""
    asked = ASKED.findall(prompt)
    _number, count, customer = asked[0]
    helper = {
        "name": name,
        "source": source,
        "tests": [{"name": "test_labels.py", "text": SUITE.format(customer=customer, count=count)}],
        "supports": [
            {"query": int(number), "arguments": json.dumps({"customer": customer, "count": int(times)})}
            for number, times, customer in asked
        ],
        "covers": [
            {"parameter": "customer", "variation": "whose labels"},
            {"parameter": "count", "variation": "how many labels"},
        ],
    }
    return turn({"do": "submit", "helpers": [helper]})


def turn(action: dict[str, Any]) -> str:
    """Return a reply of the loop."""
    return json.dumps({"thought": "next", "action": action})


def bindings(prompt: str, *, applies: bool = True) -> str:
    """Return the arguments that the queries of a prompt state."""
    return json.dumps(
        {
            "bindings": [
                {
                    "query": int(number),
                    "applies": applies,
                    "arguments": json.dumps({"customer": customer, "count": int(count)}) if applies else "{}",
                }
                for number, count, customer in ASKED.findall(prompt)
            ]
        }
    )


def writer(sources: Iterable[str], *looks: dict[str, Any]) -> Callable[[list[str]], str]:
    """Return a model's mind: it looks around, then submits one source after another; asked for arguments, it reads them."""
    waiting = iter(sources)
    looking = iter(looks)

    def reply(contents: list[str]) -> str:
        if contents[0].startswith("You call a Python tool"):
            return bindings(contents[0])
        look = next(looking, None)
        if look is not None:
            return turn(look)
        source = next(waiting, None)
        return submission(source, contents[1]) if source else turn({"do": "give_up", "reason": "no more ideas"})

    return reply
