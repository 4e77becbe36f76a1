"""A memory and a library with a few entries and tools, for the memory manager to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nucleate.database import open_database
from nucleate.manager import Manager, SelectionRules, ToolIndex
from nucleate_text_memory import Draft, Entry, Kind, LocalEmbedder, TextMemory
from nucleate_tool_library import State, ToolLibrary, ToolVersion, read_signature

SCOPE = "shop"
REFUND = '''\
def refund(order_id: str, amount: float) -> dict[str, str]:
    """Refund an amount for an order and write to the customer.

    Args:
        order_id: The order's id.
        amount: How much.
    """
    payment = find_payment(order_id=order_id)
    return env.refunds.create_refund(payment_id=payment, amount=amount)
'''
PAYMENT = '''\
def find_payment(order_id: str) -> str:
    """Find the payment of an order."""
    return env.orders.get_order(order_id=order_id)["payment_id"]
'''
RESTOCK = '''\
def restock(supplier: str) -> dict[str, str]:
    """Reorder every product of a supplier that runs low in stock."""
    return env.stock.reorder(supplier=supplier)
'''
ASKED = "Refund 12.50 euros for the order O-20001 and write to the customer."


class World:
    """What is known, and the manager over it."""

    def __init__(self, folder: Path, rules: SelectionRules) -> None:
        self._engine = open_database(str(folder / "n.db"))
        self.memory = TextMemory(self._engine)
        self.library = ToolLibrary(self._engine)
        self.manager = Manager(self.memory, self.library, ToolIndex(LocalEmbedder()), rules=rules)

    def tool(self, source: str, name: str, *calls: ToolVersion) -> ToolVersion:
        """Register a tool, in force."""
        version = ToolVersion(
            name=name,
            scope=SCOPE,
            source=source,
            signature=read_signature(source, name),
            dependencies=tuple(item.id for item in calls),
        )
        self.library.register(version, state=State.ACTIVE, approved_by="test")
        return version

    def entry(self, kind: Kind, title: str, body: str, *signature: str) -> Entry:
        """Add an entry that a user vouches for."""
        draft = Draft(kind=kind, scope=SCOPE, title=title, body=body, source="user", signature=signature)
        return self.memory.add(draft)

    def close(self) -> None:
        """End the database connections."""
        self._engine.dispose()


@contextmanager
def world(folder: Path, rules: SelectionRules = SelectionRules()) -> Iterator[World]:  # noqa: B008
    """Open a world."""
    opened = World(folder, rules)
    try:
        yield opened
    finally:
        opened.close()
