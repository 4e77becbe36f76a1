"""Text as every database takes it."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

from nucleate_text_memory.values import Draft

_SURROGATE = re.compile("[\ud800-\udfff]")
INSTEAD = "\ufffd"


def storable_text(text: str) -> str:
    """Return the text without what has no form in UTF-8 or in PostgreSQL: halves of surrogate pairs, zero characters.

    Each is replaced by U+FFFD. What is returned is a plain string, whatever class the text was of.
    """
    plain = str.__str__(text)
    return plain if plain.isascii() and "\0" not in plain else _SURROGATE.sub(INSTEAD, plain.replace("\0", INSTEAD))


def storable_draft(draft: Draft) -> Draft:
    """Return the draft with every text as a database takes it, so that what is hashed is what is stored."""
    content = draft.content and replace(
        draft.content, **{field.name: _storable(getattr(draft.content, field.name)) for field in fields(draft.content)}
    )
    said = {name: _storable(getattr(draft, name)) for name in ("scope", "title", "body", "source", "signature")}
    return replace(draft, content=content, **said)


def _storable(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_storable, value))
    return storable_text(value) if isinstance(value, str) else value
