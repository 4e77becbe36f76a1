"""Which of the entries that fit are worth their tokens: nothing twice, and no plan for what is not asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from nucleate.manager.choice import ChosenEntry
from nucleate_text_memory import Kind

_WANTED = 0.5  # the chance from which on a plan's writes are worth reading about
_SHORTEST = 8  # characters of a cause that is looked for


def worth_telling(
    entries: Iterable[ChosenEntry], *, wanted: Mapping[str, float], shown: Callable[[str], str]
) -> list[ChosenEntry]:
    """Return the entries, best first, without those that say what is said already or what nobody asks for.

    `wanted` gives the chance of each function that changes something, `shown` what is shown with a function.
    """
    kept: list[ChosenEntry] = []
    for item in entries:
        if item.entry.kind is Kind.PLAN:
            asked = all(wanted.get(name, 1.0) >= _WANTED for name in item.entry.signature)
            if asked and not any(_holds(other, item) for other in kept):
                kept.append(item)
        elif item.entry.kind is not Kind.FACT or not _is_shown(item, shown):
            kept.append(item)
    return kept


def _holds(other: ChosenEntry, item: ChosenEntry) -> bool:
    """Return whether a better plan takes all the steps of this one, and more or the same."""
    signature = set(item.entry.signature)
    return other.entry.kind is Kind.PLAN and bool(signature) and signature <= set(other.entry.signature)


def _is_shown(item: ChosenEntry, shown: Callable[[str], str]) -> bool:
    """Return whether a fact's cause stands with the function already: (function, kind, cause) is its signature."""
    if len(item.entry.signature) != 3:
        return False
    function, _, cause = item.entry.signature
    text = cause.lower().rstrip(".")
    return len(text) >= _SHORTEST and text in shown(function).lower()
