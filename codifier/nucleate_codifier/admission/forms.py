"""How a value may be written in a query: as it stands, in another case, plural, in words, or as a date."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date

TOKEN = re.compile(r"[^\W_]+(?:[.,'][^\W_]+)*")
IDENTIFIER = re.compile(r"(?=.*\d)[\w-]{3,}")
ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
SMALL = "zero one two three four five six seven eight nine ten eleven twelve"


def tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text: case-folded, singular, thousands separators taken out."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_plain(token) for token in TOKEN.findall(plain))


def contains(words: Sequence[str], form: Sequence[str]) -> bool:
    """Return whether a form stands in the words as a whole phrase."""
    size = len(form)
    return size > 0 and any(tuple(words[start : start + size]) == tuple(form) for start in range(len(words) - size + 1))


def forms_of(value: str | int | float) -> Iterator[tuple[str, ...]]:
    """Yield each way of writing a value, as tokens."""
    yield tokens(f"{value:g}" if isinstance(value, float) else str(value))
    words = SMALL.split()
    if isinstance(value, int) and 0 <= value < len(words):
        yield (words[value],)
    if isinstance(value, str):
        yield from (tokens(part) for part in IDENTIFIER.findall(value))
        yield from _dates(value)


def _plain(token: str) -> str:
    number = token.replace(",", "")
    if re.fullmatch(r"\d+(\.\d+)?", number):
        return f"{float(number):.10g}" if "." in number else number
    bare = token.removesuffix("'s")
    return bare[:-1] if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss") else bare


def _dates(text: str) -> Iterator[tuple[str, ...]]:
    for year, month, day in ISO_DATE.findall(text):
        try:
            found = date(int(year), int(month), int(day))
        except ValueError:
            continue
        for pattern in ("%B {day}, %Y", "%B {day} %Y", "{day} %B %Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y"):
            yield tokens(found.strftime(pattern.replace("{day}", str(found.day))))
