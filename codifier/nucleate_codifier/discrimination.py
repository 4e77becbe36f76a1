"""Whether a rule tells what was used from what else was there, or fits by chance (evidence in bits).

Of N values of a kind, k of them equal to the one used, a use is right by chance with p = k/N; N = 1 says nothing. Of
the uses in one group the least informative counts. Evidence = -sum of log2 p over groups - log2(rules tried) -
constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from nucleate_sandbox import Effect

READ_BITS, WRITE_BITS = 4.0, 10.0
FEWEST_GROUPS = 3


@dataclass(frozen=True)
class ValueUse:
    """One use of a value in a run of a group, and how likely it was right by chance."""

    group: int
    chance: float


def bits(uses: Sequence[ValueUse], *, tried: int = 1, constants: int = 0) -> float:
    """Return the evidence for a rule."""
    return sum(-log2(chance) for chance in _by_group(uses).values()) - log2(max(1, tried)) - constants


def informative(uses: Sequence[ValueUse]) -> int:
    """Return in how many groups there was something else to use."""
    return sum(chance < 1 for chance in _by_group(uses).values())


def enough(uses: Sequence[ValueUse], effect: Effect, *, tried: int = 1, constants: int = 0) -> bool:
    """Return whether a rule may choose in a tool of this effect; one that destroys needs a person, and no rule."""
    if effect is Effect.DESTRUCTIVE:
        return False
    found = bits(uses, tried=tried, constants=constants)
    if effect is Effect.READ:
        return found >= READ_BITS
    return found >= WRITE_BITS and informative(uses) >= FEWEST_GROUPS


def _by_group(uses: Sequence[ValueUse]) -> dict[int, float]:
    found: dict[int, float] = {}
    for use in uses:
        found[use.group] = max(use.chance, found.get(use.group, 0.0))
    return found
