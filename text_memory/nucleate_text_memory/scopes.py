"""Scopes: whose and where an entry is. A narrower scope sees the wider ones that it lies in, never the reverse.

The text of a scope is its environment (`shop`), and behind a question mark what narrows it (`shop?project=x&user=ada`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from urllib.parse import quote, unquote

from nucleate_text_memory.errors import MemoryFault

_NARROWER = ("organisation", "project", "user")
_PART = re.compile(r"(organisation|project|user)=([^&=?]+)")


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The four dimensions; an empty one is open to all."""

    environment: str = ""
    user: str = ""
    organisation: str = ""
    project: str = ""

    def __str__(self) -> str:
        given = [(name, getattr(self, name)) for name in _NARROWER]
        narrowed = "&".join(f"{name}={quote(value, safe='')}" for name, value in given if value)
        return self.environment + (f"?{narrowed}" if narrowed else "")

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Return the scope that a text names."""
        environment, mark, rest = text.partition("?")
        parts = [_PART.fullmatch(part) for part in rest.split("&")] if mark else []
        named = {part[1]: unquote(part[2]) for part in parts if part}
        if len(named) != len(parts):
            raise MemoryFault(
                f"scope {text!r} is not ENVIRONMENT?user=…&organisation=…&project=…; leave out what is open"
            )
        return cls(environment=environment, **named)


def visible(text: str) -> list[str]:
    """Return the texts of every scope whose entries may be shown to somebody who asks in this one."""
    scope = Scope.parse(text)
    choices = [("", value) if value else ("",) for value in _dimensions(scope)]
    every = (Scope(environment=e, organisation=o, project=p, user=u) for e, o, p, u in product(*choices))
    return sorted({str(one) for one in every} - {""})


def values(text: str) -> set[tuple[str, str]]:
    """Return the dimensions that a scope sets, with their values."""
    named = zip(("environment", *_NARROWER), _dimensions(Scope.parse(text)), strict=True)
    return {(name, value) for name, value in named if value}


def _dimensions(scope: Scope) -> tuple[str, str, str, str]:
    return scope.environment, scope.organisation, scope.project, scope.user
