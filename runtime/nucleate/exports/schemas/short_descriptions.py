"""Descriptions that a model reads first and pays for each time: short, the point in front."""

from __future__ import annotations

from nucleate_sandbox import Json, JsonObject, canonical

SUMMARY = 300
DEFAULT = 80


def summary(doc: str, limit: int = SUMMARY) -> str:
    """Return the first paragraph of a docstring in one line, cut at a word."""
    return cut(" ".join(doc.strip().partition("\n\n")[0].split()), limit)


def cut(text: str, limit: int) -> str:
    """Return a text of at most so many characters; what is cut off shows as an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return f"{head.rsplit(' ', 1)[0] if ' ' in head else head}…"


def noted(schema: JsonObject, *notes: str) -> JsonObject:
    """Return a schema whose description says, after its own words, what its form cannot."""
    given = schema.get("description")
    words = [text.rstrip(". ") for text in (given if isinstance(given, str) else "", *notes) if text]
    plain = {key: value for key, value in schema.items() if key != "description"}
    if not words:
        return plain
    return {**plain, "description": given if words == [given] else f"{'. '.join(words)}."}


def shown(value: Json) -> str:
    """Return a default as a model would write it."""
    return cut(canonical(value), DEFAULT)
