"""Strangers' names as names of functions: one mapping for every format and environment, and collisions kept apart."""

from __future__ import annotations

import hashlib
import keyword
import re
import unicodedata
from collections.abc import Iterable, Mapping

_MCP = re.compile(r"mcp__(?P<server>.+?)__(?P<tool>.+)")
_OTHER = re.compile(r"\W+", re.ASCII)
_DIGITS = 6  # of a hash, where letters are lost


def identifier(text: str) -> str:
    """Return the text as an identifier of ASCII letters: `get-order` → get_order, `réserver` → reserver.

    What no such letter stands for is told by a hash: two names in another script stay two. A name that Python keeps for
    itself gets `_` at its end; a name that is an identifier stays as it is.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    name = _OTHER.sub("_", plain).strip("_") or "_"
    if any(c.isalnum() and not c.isascii() for c in plain):
        name = f"{name.strip('_') or 'n'}_{_hash(text)}"
    name = f"_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name


def function_name(name: str, environment: str) -> str:
    """Return a foreign tool's name as `namespace.function`; a tool of an MCP server has the server as its namespace."""
    return ".".join(identifier(part) for part in _parts(name, environment))


def spoken(name: str, environment: str) -> tuple[str, str]:
    """Return what two writings of one foreign name share, and the owner's name of it.

    `mcp__tracker__get-issue` and `tracker.get-issue` are one, whose owner calls it `get-issue`.
    """
    space, own = _parts(name, environment)
    return f"{space}.{own}", own


def _parts(name: str, environment: str) -> list[str]:
    served = _MCP.fullmatch(name)
    parts = [served["server"], served["tool"]] if served else name.split(".", 1)
    return parts if len(parts) == 2 and all(parts) else [environment, name]


def distinct(names: Iterable[str]) -> Mapping[str, str]:
    """Return an identifier for each of the names, no two alike; one that is an identifier already keeps its name.

    Of others that would be alike the first keeps the plain form, and the rest end in a hash of what they are called.
    """
    found: dict[str, str] = {}
    taken: dict[str, str] = {}
    ordered = list(dict.fromkeys(names))
    for name in sorted(ordered, key=lambda item: identifier(item) != item):
        found[name] = kept_apart(name, identifier(name), taken)
    return {name: found[name] for name in ordered}


def kept_apart(name: str, plain: str, taken: dict[str, str], *, own: str | None = None) -> str:
    """Return the plain form of a name, or where another name has it, that form and a hash; `taken` remembers whose.

    The hash is of what the owner calls it: `own` where the name says more than that.
    """
    if taken.setdefault(plain, name) == name:
        return plain
    apart = f"{plain}_{_hash(own or name)}"
    taken.setdefault(apart, name)
    return apart


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
