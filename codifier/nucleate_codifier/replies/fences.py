"""The fenced blocks of a reply, however marked: with backticks or tildes, indented, unclosed, glued to words."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass

PYTHON = frozenset({"python", "py", "python3", "tool_code", "ipython", "repl"})
_OPENING = re.compile(r"(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<kind>[\w+.#-]*+)[^\n`]*+\n")
_ONE_LINE = re.compile(r"```(?P<kind>python|py|json|tool_code)[ \t]++(?P<inside>[^\n`]++)```")
_MOST_ENDS = 12  # closings that are tried for one block


@dataclass(frozen=True, kw_only=True)
class Fence:
    """One block: how it is marked, what it holds, where it stands, and whether it ends."""

    kind: str
    inside: str
    start: int
    stop: int
    closed: bool = True


def fences(text: str) -> list[Fence]:
    """Return the blocks of a text, in order."""
    found: list[Fence] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        found += _one_line(text, at, opening.start())
        found.append(_block(text, opening))
        at = found[-1].stop
    return [*found, *_one_line(text, at, len(text))]


def parses(code: str) -> bool:
    """Return whether a text is Python."""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _one_line(text: str, start: int, stop: int) -> list[Fence]:
    return [
        Fence(kind=item["kind"], inside=f"{item['inside']}\n", start=item.start(), stop=item.end())
        for item in _ONE_LINE.finditer(text, start, stop)
    ]


def _block(text: str, opening: re.Match[str]) -> Fence:
    """Return the block that begins here. The first end that leaves Python ends it: no fence inside a string does."""
    kind = opening["kind"].lower()
    closing = re.compile(rf"(?m)^[ \t]*{opening['fence']}|{opening['fence']}[ \t]*$")
    ends = []
    for end in closing.finditer(text, opening.end()):
        ends.append(end)
        if kind not in PYTHON | {""} or len(ends) >= _MOST_ENDS or parses(_inside(text, opening, end)):
            break
    if not ends:
        inside = textwrap.dedent(text[opening.end() :])
        return Fence(kind=kind, inside=inside, start=opening.start(), stop=len(text), closed=False)
    end = ends[-1] if kind in PYTHON | {""} and parses(_inside(text, opening, ends[-1])) else ends[0]
    return Fence(kind=kind, inside=_inside(text, opening, end), start=opening.start(), stop=end.end())


def _inside(text: str, opening: re.Match[str], end: re.Match[str]) -> str:
    inside = text[opening.end() : end.start()]
    return textwrap.dedent(inside if inside.endswith("\n") else f"{inside}\n")
