"""Lines of Python as the formatter would lay them out: one line where it fits, else one argument per line."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 120
INDENT = "    "


def call(before: str, function: str, arguments: Sequence[str], after: str = "", *, indent: int = 1) -> list[str]:
    """Return the lines of `before function(arguments) after`."""
    pad = INDENT * indent
    line = f"{pad}{before}{function}({', '.join(arguments)}){after}"
    if len(line) <= WIDTH or not arguments:
        return [line]
    inner = pad + INDENT
    joined = f"{inner}{', '.join(arguments)}"
    middle = [joined] if len(joined) <= WIDTH else [f"{inner}{argument}," for argument in arguments]
    return [f"{pad}{before}{function}(", *middle, f"{pad}){after}"]


def bracketed(before: str, opening: str, items: Sequence[str], closing: str, *, indent: int = 1) -> list[str]:
    """Return the lines of a display: `before {a, b}`, or one item per line with a trailing comma."""
    pad = INDENT * indent
    line = f"{pad}{before}{opening}{', '.join(items)}{closing}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{pad}{before}{opening}", *(f"{pad}{INDENT}{item}," for item in items), f"{pad}{closing}"]


def comprehension(before: str, element: str, clauses: Sequence[str], *, indent: int = 1) -> list[str]:
    """Return the lines of a list comprehension, clauses below the element where it is too long for one line."""
    pad = INDENT * indent
    line = f"{pad}{before}[{element} {' '.join(clauses)}]"
    if len(line) <= WIDTH:
        return [line]
    inner = pad + INDENT
    return [f"{pad}{before}[", f"{inner}{element}", *(f"{inner}{clause}" for clause in clauses), f"{pad}]"]
