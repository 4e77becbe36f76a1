"""A process that calls a tool again and again while another does the same: `python -m … DATABASE COUNT`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.runtime.release.world import runtime


def main(database: str, count: int) -> None:
    """Call the tool with inputs of which every fifth is odd, and print each answer."""
    with runtime(Path(database).parent) as opened:
        for number in range(count):
            item = f"odd {number}" if number % 5 == 0 else f"item {number}"
            outcome = opened.call("price_of", {"item": item})
            sys.stdout.write(f"{number} {outcome.value}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
