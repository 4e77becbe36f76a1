"""The families of tasks: how people word them, how they are solved, when they are solved, what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nucleate.demo import mistakes, scripts
from nucleate.demo import solved as checks
from nucleate.demo.mistakes import Mistake
from nucleate.demo.scripts import Script
from nucleate.demo.solved import Check


@dataclass(frozen=True, kw_only=True)
class Family:
    """Tasks that differ in their values and wording alone. `mistakes` says in which of them what goes wrong."""

    name: str
    phrasings: tuple[str, ...]
    script: Script
    check: Check
    mistakes: Mapping[int, Mistake] = field(default_factory=dict)


REFUND = Family(
    name="refund a damaged item",
    phrasings=(
        "Order {order_id} arrived with a broken piece. Give back {amount} euros and let the customer know.",
        "A parcel was damaged on its way: refund {amount} for {order_id}, note it there and write to the buyer.",
        "Please return {amount} to whoever bought {order_id}; the item came cracked. Confirm it by mail.",
        "The customer of {order_id} complains about a scratched item. We pay {amount} back and send a message.",
    ),
    script=scripts.refund,
    check=checks.refunded,
    mistakes={1: mistakes.CENTS, 2: mistakes.BARE_ID, 4: mistakes.CENTS, 6: mistakes.BARE_ID},
)
DELIVERY = Family(
    name="where is my order",
    phrasings=(
        "{email} asks where the latest order is. Find out and answer.",
        "Where is the parcel for {email}? Track the newest order, log the contact and send an update.",
        "The customer with the address {email} is still waiting for a delivery. Check the tracking and tell them.",
    ),
    script=scripts.delivery,
    check=checks.told,
    mistakes={0: mistakes.TYPO, 3: mistakes.TYPO, 5: mistakes.TYPO},
)
RESTOCK = Family(
    name="restock a supplier's goods",
    phrasings=(
        "Restock everything from {supplier} that is below its threshold and send them the order.",
        "The shelves run low on goods by {supplier}: reorder what is missing and notify the supplier.",
        "Fill up all products of {supplier} that are short, then confirm to them in writing.",
    ),
    script=scripts.restock,
    check=checks.restocked,
    mistakes={1: mistakes.NO_QUANTITY, 3: mistakes.NO_QUANTITY},
)
ERASE = Family(
    name="erase a customer",
    phrasings=(
        "{name} wants all personal data deleted. Send a copy first, then erase.",
        "Privacy request by {name}: export the data, mail it, log it, and remove the customer.",
        "{name} is leaving us for good. Provide the stored data and then forget the account.",
    ),
    script=scripts.erase,
    check=checks.erased,
    mistakes={1: mistakes.LOWER_CASE, 3: mistakes.LOWER_CASE},
)
MOVE = Family(
    name="change an address",
    phrasings=(
        "The caller with the number {phone} moves to {street}, {postcode} {city}. Redirect all open orders.",
        "{phone} called: from now on everything goes to {street} in {postcode} {city}, open orders too.",
        "New address for {phone}: {street}, {postcode} {city}. Update the account and whatever was not sent yet.",
    ),
    script=scripts.move,
    check=checks.moved,
    mistakes={0: mistakes.NO_HYPHEN},
)
CANCEL = Family(
    name="cancel an order",
    phrasings=(
        "Cancel {order_id}, it was ordered by accident. Release the goods and the money, and say so.",
        "The buyer of {order_id} changed their mind. Stop it and give everything free again.",
        "{order_id} must not be sent. Undo it completely and inform the customer.",
    ),
    script=scripts.cancel,
    check=checks.cancelled,
    mistakes={0: mistakes.BARE_ID},
)
REPORT = Family(
    name="count orders",
    phrasings=(
        'How many orders are {status}? File the number as "{title}".',
        'We need the count of {status} orders in the reports, titled "{title}".',
        'File a report "{title}" that says how many orders are {status} today.',
    ),
    script=scripts.report,
    check=checks.reported,
    mistakes={0: mistakes.FROM_ZERO},
)
