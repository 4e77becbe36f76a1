"""How a value may be written in a query: as it stands, in another case, plural, in words, as money or as a date."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from nucleate_codifier.admission.generality.dates import written
from nucleate_codifier.admission.generality.numerals import in_words

TOKEN = re.compile(r"[^\W_]+(?:[.,'][^\W_]+)*")
IDENTIFIER = re.compile(r"(?=.{0,60}?\d)[\w-]{3,60}")
UNITS = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
MAX_TOKENS = 2000
_SIBILANTS = ("ses", "xes", "zes", "ches", "shes")


def tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text: case-folded, singular, thousands separators taken out."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return tuple(_plain(token) for token in TOKEN.findall(plain)[:MAX_TOKENS])


def contains(words: Sequence[str], form: Sequence[str]) -> bool:
    """Return whether a form stands in the words as a whole phrase."""
    size = len(form)
    return size > 0 and any(tuple(words[start : start + size]) == tuple(form) for start in range(len(words) - size + 1))


def forms_of(value: str | int | float) -> Iterator[tuple[str, ...]]:
    """Yield each way of writing a value, as tokens."""
    if isinstance(value, str):
        yield tokens(value)
        yield from (tokens(part) for part in IDENTIFIER.findall(value[:2000]))
        yield from (tokens(text) for text in written(value))
    else:
        yield from _numbers(value)


def _numbers(value: int | float) -> Iterator[tuple[str, ...]]:
    if not -1e15 < value < 1e15:  # a number of any length may stand in a source
        return
    yield tokens(f"{value:.10g}")
    if float(value).is_integer():
        yield from (tokens(text) for text in in_words(int(value)))
    elif 0 < value < 1:
        yield tokens(f"{value * 100:.10g} percent")
        yield (f"{value * 100:.10g}",)  # "15 %", whose sign is no word
    for unit, size in UNITS.items():
        if value >= size and (value / size * 10).is_integer():
            yield (f"{value / size:.10g}", unit)
            yield (f"{value / size:.10g}{unit}",)


def _plain(token: str) -> str:
    number = token.replace(",", "").replace("'", "")
    if re.fullmatch(r"\d+(\.\d+)?", number):
        return f"{float(number):.10g}" if "." in number else number
    return _singular(token.removesuffix("'s").removesuffix("s'"))


def _singular(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_SIBILANTS) else word[:-1]
