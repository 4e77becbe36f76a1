"""Packing: the best documents that fit into a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SHORTEST = 15


def pack(ordered: Sequence[int], tokens: Callable[[int], int], budget: int | None) -> list[int]:
    """Return those that fit, in order; one that is too long is passed over while a short one might still fit."""
    if budget is None:
        return list(ordered)
    packed, used = [], 0
    for position in ordered:
        if used + _SHORTEST > budget:
            break
        if used + (cost := tokens(position)) <= budget:
            packed.append(position)
            used += cost
    return packed
