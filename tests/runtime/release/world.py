"""A stock room with tools of several makes, for trials in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nucleate import Runtime, Settings
from nucleate.environments import effect
from nucleate_sandbox import Sandbox
from nucleate_tool_library import State, ToolVersion, read_signature
from tests.doubles import InProcessSandbox

PRICES = {"nut": 1.0, "bolt": 2.0, "nail": 0.5, "screw": 0.8, "pin": 0.1}


@dataclass
class Stock:
    """Prices to read, and reservations to write; `odd` items have no price."""

    reserved: dict[str, int] = field(default_factory=dict)
    forks: list[str] = field(default_factory=list)

    @effect("read")
    def price(self, item: str) -> dict[str, float]:
        """Return the price of an item, where it has one.

        Args:
            item: The item's name.
        """
        if item == "nothing":
            raise LookupError("there is no such item")
        return {} if item.startswith("odd") else {"price": PRICES.get(item, 3.0)}

    def reserve(self, item: str, count: int) -> dict[str, int]:
        """Put some of an item aside.

        Args:
            item: The item's name.
            count: How many.
        """
        self.reserved[item] = self.reserved.get(item, 0) + count
        return {"reserved": self.reserved[item]}


class Unforkable(Stock):
    """A stock room that cannot be copied."""

    def __deepcopy__(self, memo: object) -> Unforkable:
        raise RuntimeError("one of a kind")


def make(
    name: str, body: str, *, parameters: str = "item: str", reaches: tuple[str, ...] = ("stock.price",)
) -> ToolVersion:
    """Return a version of a tool that returns what an expression gives."""
    source = f'def {name}({parameters}) -> float:\n    """Return the price of an item."""\n    return {body}\n'
    return ToolVersion(
        name=name, scope="stock", source=source, signature=read_signature(source, name), capabilities=reaches
    )


OLD = make("price_of", 'env.stock.price(item=item)["price"]')
BETTER = make("price_of", 'env.stock.price(item=item).get("price", 0.0)')
WRONG = make("price_of", 'env.stock.price(item=item)["price"] + 1')
BROKEN = make("price_of", 'env.stock.price(item=item)["cost"]')
HANGING = make("price_of", "[env.stock.price(item=item) for _ in range(2000)][-1]")
GRABBING = make(
    "price_of", 'env.stock.reserve(item=item, count=1)["reserved"]', reaches=("stock.price", "stock.reserve")
)
FORBIDDEN = make("price_of", 'env.stock.reserve(item=item, count=1)["reserved"]')


@contextlib.contextmanager
def runtime(
    folder: Path, environment: object | None = None, *, sandbox: Sandbox | None = None, **settings: object
) -> Iterator[Runtime]:
    """Open a runtime that does all its work at once; every matching call is the canary's unless told otherwise."""
    chosen = {"database": str(folder / "n.db"), "worker": "inline", "canary_share": 1.0, "suspect_days": 0, **settings}
    with Runtime(
        environment if environment is not None else {"stock": Stock()},
        settings=Settings(**chosen),  # type: ignore[arg-type]
        sandbox=sandbox or InProcessSandbox(),
    ) as opened:
        yield opened


def serve(opened: Runtime, first: ToolVersion = OLD) -> None:
    """Put a tool into service."""
    opened.releases.release(first, state=State.ACTIVE, plan_id=None, by="admission")


def try_out(opened: Runtime, version: ToolVersion) -> None:
    """Offer a version beside the one in service."""
    opened.releases.release(version, state=State.ACTIVE, plan_id=None, by="admission")


def life(opened: Runtime, name: str = "price_of") -> list[str]:
    """Return a tool's events in short."""
    events = opened.library.history(name, "stock")
    return [
        f"{event.number} {event.was.value if event.was else '-'} → {event.now.value}, {event.by}" for event in events
    ]
