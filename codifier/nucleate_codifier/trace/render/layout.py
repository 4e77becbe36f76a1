"""Lines of Python as the formatter would lay them out: one line where it fits, else indented inside its brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

WIDTH = 120
INDENT = "    "


@dataclass(frozen=True, kw_only=True)
class Group:
    """Text with brackets in it that may be broken: before the bracket, the items, and the bracket's end.

    The formatter lets a call's arguments share a line inside the brackets; of a list or object each item has its own.
    """

    before: str
    items: tuple[Piece, ...]
    after: str
    comma: str = ","
    shared: bool = True

    def __str__(self) -> str:
        return f"{self.before}{f'{self.comma} '.join(str(item) for item in self.items)}{self.after}"

    def within(self, before: str, after: str = "") -> Group:
        """Return the group with text around it."""
        return replace(self, before=f"{before}{self.before}", after=f"{self.after}{after}")


Piece: TypeAlias = str | Group


def lines(piece: Piece, *, indent: int = 1) -> list[str]:
    """Return the piece on one line, or its items on one line of their own, or one line and more for each item."""
    pad, inner = INDENT * indent, INDENT * (indent + 1)
    whole = f"{pad}{piece}"
    if isinstance(piece, str) or not piece.items or len(whole) <= WIDTH:
        return [whole]
    joined = f"{inner}{f'{piece.comma} '.join(str(item) for item in piece.items)}"
    if piece.shared and len(joined) <= WIDTH:
        return [f"{pad}{piece.before}", joined, f"{pad}{piece.after}"]
    body = [line for item in piece.items for line in _ended(lines(item, indent=indent + 1), piece.comma)]
    return [f"{pad}{piece.before}", *body, f"{pad}{piece.after}"]


def call(function: str, arguments: Sequence[Piece]) -> Group:
    """Return `function(arguments)`."""
    return Group(before=f"{function}(", items=tuple(arguments), after=")")


def display(opening: str, items: Sequence[Piece], closing: str) -> Group:
    """Return a list or an object: `[a, b]`."""
    return Group(before=opening, items=tuple(items), after=closing, shared=False)


def around(before: str, piece: Piece, after: str = "") -> Piece:
    """Return the piece with text around it, still breakable."""
    return piece.within(before, after) if isinstance(piece, Group) else f"{before}{piece}{after}"


def comprehension(element: Piece, clauses: Sequence[str]) -> Group:
    """Return `[element for … in …]`, which breaks before each `for`."""
    return Group(before="[", items=(element, *clauses), after="]", comma="")


def _ended(body: list[str], comma: str) -> list[str]:
    return [*body[:-1], f"{body[-1]}{comma}"]
