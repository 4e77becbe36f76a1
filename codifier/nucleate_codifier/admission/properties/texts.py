"""Texts for a JSON schema: of a format or a pattern that it names, or short ones of characters that break things."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from nucleate_sandbox import Json, JsonObject

MAX_TEXT = 12
MAX_PATTERN = 200
ALPHABET = "abcXYZ 019-_.,@/éß中"
WORD = "abcdxyz019"

FORMATS: dict[str, st.SearchStrategy[str]] = {
    "date": st.dates().map(lambda day: day.isoformat()),
    "time": st.times().map(lambda time: time.replace(microsecond=0).isoformat() + "Z"),
    "date-time": st.datetimes().map(lambda time: time.replace(microsecond=0).isoformat() + "Z"),
    "email": st.text(WORD, min_size=1, max_size=8).map(lambda name: f"{name}@mail.example"),
    "uri": st.text(WORD, min_size=1, max_size=8).map(lambda name: f"https://www.example/{name}"),
    "uuid": st.uuids().map(str),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str),
}


def text_of(schema: JsonObject) -> st.SearchStrategy[Any]:
    """Return a strategy for the texts of a string schema."""
    known = FORMATS.get(str(schema.get("format")))
    if known is not None:
        return known
    least, most = _size(schema.get("minLength"), 0), _size(schema.get("maxLength"), MAX_TEXT)
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and len(pattern) <= MAX_PATTERN and _compiles(pattern):
        made = st.from_regex(pattern, alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x17F))
        return made.filter(lambda text: least <= len(text) <= max(most, least))
    return st.text(ALPHABET, min_size=least, max_size=max(least, min(most, max(MAX_TEXT, least))))


def _size(value: Json, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True
