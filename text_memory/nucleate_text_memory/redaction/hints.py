"""Where in a text an expensive pattern could match at all: around words that it cannot do without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_BEFORE = 80  # a name that ends with the word begins no further before it


def near(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text, in order and apart, that a match with one of the words lies in.

    A stretch goes to the end of the line after the word's own, since a value may stand there.
    """
    end = -1
    begin = 0
    for place in sorted(place for word in words for place in _places(text, word)):
        start = max(0, place - _BEFORE)
        if start > end >= 0:
            yield begin, end
        if end < 0 or start > end:
            begin = start
        end = max(end, _line_after(text, place))
    if end >= 0:
        yield begin, end


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _line_after(text: str, place: int) -> int:
    first = text.find("\n", place)
    second = text.find("\n", first + 1) if first >= 0 else -1
    return second if second >= 0 else len(text)
