"""Strangers' names as names of functions and arguments."""

from __future__ import annotations

import keyword
import re


def identifier(text: str) -> str:
    """Return the text with `_` for every other character; a name that is one already stays as it is.

    A name that Python keeps for itself gets `_` at its end: `from` → from_.
    """
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "_"
    name = f"_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name
