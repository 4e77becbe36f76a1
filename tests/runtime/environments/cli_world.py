"""A small world for the command line: objects that a test adds by MODULE:NAME."""

from __future__ import annotations

from nucleate.environments import effect


class Tickets:
    """Tickets that can be looked at and thrown away."""

    @effect("read")
    def get(self, number: int) -> dict[str, int]:
        """Look up a ticket."""
        if number > 9:
            raise LookupError(f"no ticket {number}")
        return {"number": number}

    @effect("destructive")
    def shred(self, *, number: int) -> str:
        """Throw a ticket away."""
        return f"ticket {number} is gone"


class Later:
    """The same, some weeks later."""

    @effect("read")
    def get(self, number: str) -> dict[str, str]:
        """Look up a ticket."""
        return {"number": number}

    @effect("destructive")
    def bury(self) -> None:
        """Bury all."""


STANDS: list[type[Tickets] | type[Later]] = [Tickets]


def today() -> Tickets | Later:
    """Return what stands there today; a test changes it."""
    return STANDS[-1]()
