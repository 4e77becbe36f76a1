"""English numerals: a whole number in words, cardinal and ordinal."""

from __future__ import annotations

from collections.abc import Iterator

MOST = 999_999
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve"
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = [*_UNITS.split(), *_TEENS.split()]
_TENS = _ROUND.split()
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"}
_ORDINALS |= {"nine": "ninth", "twelve": "twelfth"}
_DOZENS = {12: "dozen", 24: "two dozen", 20: "score"}


def in_words(number: int) -> Iterator[str]:
    """Yield the ways of saying a number up to 999,999; nothing for others."""
    if not 0 <= number <= MOST:
        return
    words = cardinal(number)
    yield words
    if " hundred " in words:
        yield words.replace(" hundred ", " hundred and ")
    yield ordinal(number)
    yield f"{number}{suffix(number)}"
    if number in _DOZENS:
        yield _DOZENS[number]


def cardinal(number: int) -> str:
    """Return a number in words, such as `three hundred forty two`."""
    if number < len(_SMALL):
        return _SMALL[number]
    if number < 100:
        return _joined(_TENS[number // 10 - 2], number % 10)
    if number < 1000:
        return _joined(f"{_SMALL[number // 100]} hundred", number % 100)
    return _joined(f"{cardinal(number // 1000)} thousand", number % 1000)


def ordinal(number: int) -> str:
    """Return an ordinal in words, such as `twenty first`."""
    before, _, last = cardinal(number).rpartition(" ")
    if last not in _ORDINALS:
        last = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return f"{before} {_ORDINALS.get(last, last)}".strip()


def suffix(number: int) -> str:
    """Return what follows the digits of an ordinal: st, nd, rd or th."""
    if number % 100 in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _joined(words: str, rest: int) -> str:
    return f"{words} {cardinal(rest)}" if rest else words
