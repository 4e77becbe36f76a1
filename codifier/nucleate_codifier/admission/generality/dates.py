"""Dates in a text, and every common way of writing the same day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from nucleate_codifier.admission.generality.numerals import ordinal, suffix

_NAMES = "january february march april may june july august september october november december"
_MONTHS = _NAMES.split()
_NAMED = "|".join([*_MONTHS, *(name[:3] for name in _MONTHS), "sept"])
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?!\d)")
_NUMERIC = re.compile(r"(?<!\d)(\d\d?)[-/.](\d\d?)[-/.](\d{4})(?!\d)")
_MONTH_FIRST = re.compile(rf"\b({_NAMED})\.?\s(\d\d?)(?:st|nd|rd|th)?,?\s(\d{{4}})\b", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\s(?:of\s)?({_NAMED})\.?,?\s(\d{{4}})\b", re.IGNORECASE)


def written(text: str) -> Iterator[str]:
    """Yield other ways of writing each date in a text, also without its year."""
    for day in dict.fromkeys(_dates(text[:2000])):
        yield from _ways(day)


def _dates(text: str) -> Iterator[date]:
    for year, month, day in _ISO.findall(text):
        yield from _day(year, int(month), day)
    for first, second, year in _NUMERIC.findall(text):
        yield from _day(year, int(first), second)
        yield from _day(year, int(second), first)
    for name, day, year in _MONTH_FIRST.findall(text):
        yield from _day(year, _month(name), day)
    for day, name, year in _DAY_FIRST.findall(text):
        yield from _day(year, _month(name), day)


def _day(year: str, month: int, day: str) -> Iterator[date]:
    try:
        yield date(int(year), month, int(day))
    except ValueError:
        return


def _month(name: str) -> int:
    return next(number for number, full in enumerate(_MONTHS, 1) if full.startswith(name.lower()[:3]))


def _ways(day: date) -> Iterator[str]:
    days = (str(day.day), f"{day.day}{suffix(day.day)}", ordinal(day.day))
    full = _MONTHS[day.month - 1]
    for name in (full, full[:3]):
        for number in days:
            for text in (f"{name} {number}", f"{name} the {number}", f"{number} {name}", f"{number} of {name}"):
                yield f"{text} {day.year}"
                yield text
    yield day.isoformat()
    for order in (f"{day:%d}/{day:%m}", f"{day:%m}/{day:%d}", f"{day.day}/{day.month}", f"{day.month}/{day.day}"):
        for sign in "/.-":
            yield f"{order}/{day.year}".replace("/", sign)
            yield f"{order}/{day.year % 100:02d}".replace("/", sign)
    yield f"{day.year}/{day.month}/{day.day}"
