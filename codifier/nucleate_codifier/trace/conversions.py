"""How one value is written in another way: case, a prefix taken off, a number as text, a date in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from nucleate_codifier.trace.annotations import quoted
from nucleate_codifier.trace.expressions import Missing
from nucleate_sandbox import Json

DATES = (
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d %B %Y",
    "%B %d, %Y",
    "%Y-%m-%dT%H:%M:%S",
)
CASES: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": str.title}
PREFIX = "removeprefix "
DATE = "date "


def turned(value: Json, how: str) -> Json:
    """Return the value written in the other way, or raise Missing where it cannot be."""
    if how == "str" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Missing(how)
    if how in CASES:
        return CASES[how](value)
    if how == "int" and value.isascii() and value.isdecimal():
        return int(value)
    if how.startswith(PREFIX):
        return value.removeprefix(how.removeprefix(PREFIX))
    if how.startswith(DATE):
        given, wanted = how.removeprefix(DATE).split("|")
        return _redated(value, given, wanted)
    raise Missing(how)


def ways(value: Json, wanted: Json) -> Iterator[str]:
    """Yield every way that turns the one value into the other."""
    for how in _candidates(value, wanted):
        try:
            if turned(value, how) == wanted and (wanted is not None):
                yield how
        except Missing:
            continue


def told(how: str) -> str:
    """Return the way in words."""
    if how.startswith(DATE):
        return f"the date as {how.rpartition('|')[2]}"
    return f"without {how.removeprefix(PREFIX)!r}" if how.startswith(PREFIX) else f"as {how}"


def spelled(text: str, how: str) -> str:
    """Return the Python that turns what the text gives."""
    if how in {"str", "int"}:
        return f"{how}({text})"
    if how in CASES:
        return f"{text}.{how}()"
    if how.startswith(PREFIX):
        return f"{text}.removeprefix({quoted(how.removeprefix(PREFIX))})"
    given, wanted = how.removeprefix(DATE).split("|")
    return f"datetime.strptime({text}, {quoted(given)}).strftime({quoted(wanted)})"


def _candidates(value: Json, wanted: Json) -> Iterator[str]:
    yield from ("str", "int")
    if not (isinstance(value, str) and isinstance(wanted, str)) or value == wanted:
        return
    yield from CASES
    if wanted and value.endswith(wanted):
        yield f"{PREFIX}{value.removesuffix(wanted)}"
    if any(mark.isdigit() for mark in wanted):
        readable = [given for given in DATES if _date(value, given) is not None]
        yield from (f"{DATE}{given}|{other}" for given in readable for other in DATES if other != given)


def _date(text: str, given: str) -> datetime | None:
    try:
        return datetime.strptime(text, given)
    except ValueError:
        return None


def _redated(text: str, given: str, wanted: str) -> str:
    date = _date(text, given)
    if date is None:
        raise Missing(given)
    return date.strftime(wanted)
