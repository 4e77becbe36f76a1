"""Strangers' names as names of functions."""

from __future__ import annotations

import re


def identifier(text: str) -> str:
    """Return the text with `_` for every other character; a name that is one already stays as it is."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "_"
    return f"_{name}" if name[0].isdigit() else name
