"""A call repeated page by page, by number or by cursor, until the last page says that there is no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow, same
from nucleate_codifier.trace.expressions import Missing
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step

FEWEST_LONG = 2
"""So many runs must go on to a second page, in two different lengths, before an end can be told."""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """How the pages follow each other: `argument` counts from `first`, or is what the page before holds at `cursor`.

    `items` is the key of the list in every page. Another page is asked for while the page has something under
    `more`; where `counted` is true, while its number is less than what the page has there.
    """

    argument: str
    items: str
    more: str
    first: Json = None
    cursor: str | None = None
    counted: bool = False

    def goes_on(self, page: Json, number: Json) -> bool:
        """Return whether another page is asked for after this one."""
        value = page.get(self.more) if isinstance(page, dict) else None
        if not self.counted:
            return bool(value)
        return isinstance(number, int) and isinstance(value, int) and number < value

    def next(self, page: Json, number: Json) -> Json:
        """Return the argument for the page after this one."""
        if self.cursor is not None:
            return page.get(self.cursor) if isinstance(page, dict) else None
        return number + 1 if isinstance(number, int) else None

    def gathered(self, results: Sequence[Json]) -> list[Json]:
        """Return the elements of all pages in one list; Missing where a page has none."""
        return [item for page in results for item in _items(page, self.items)]

    def to_json(self) -> JsonObject:
        """Return the fields as data."""
        return {
            "argument": self.argument,
            "items": self.items,
            "more": self.more,
            "first": self.first,
            "cursor": self.cursor,
            "counted": self.counted,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Pages:
        """Read what to_json wrote."""
        return cls(**value)


def paged(groups: Sequence[Sequence[Step]]) -> Pages | None:
    """Return how the calls of every run go from page to page, the first way that fits them all; None if none does."""
    lengths = {len(group) for group in groups}
    if len(lengths) < 2 or sum(len(group) > 1 for group in groups) < FEWEST_LONG:
        return None
    return next((way for way in _ways(groups) if all(_follows(way, group) for group in groups)), None)


def _ways(groups: Sequence[Sequence[Step]]) -> Iterator[Pages]:
    longest = max(groups, key=len)
    page = longest[0].result
    if not isinstance(page, dict):
        return
    lists: list[str] = [key for key, value in page.items() if isinstance(value, list)]
    changing = [name for name in longest[1].arguments if _changes(longest, name)]
    for argument in changing:
        for items in lists:
            yield from _ways_by(argument, items, longest[0].arguments.get(argument), page)


def _changes(group: Sequence[Step], name: str) -> bool:
    return len({fingerprint(step.arguments.get(name)) for step in group}) == len(group)


def _ways_by(argument: str, items: str, first: Json, page: JsonObject) -> Iterator[Pages]:
    for cursor in page:
        if cursor != items:
            yield Pages(argument=argument, items=items, more=cursor, first=first, cursor=cursor)
    if isinstance(first, int):
        for more in page:
            yield Pages(argument=argument, items=items, more=more, first=first)
            yield Pages(argument=argument, items=items, more=more, first=first, counted=True)


def _follows(way: Pages, group: Sequence[Step]) -> bool:
    """Return whether the run asked for the first page, for each next one, and stopped where there was no more."""
    wanted: Json = way.first
    for index, step in enumerate(group):
        others = {name: value for name, value in step.arguments.items() if name != way.argument}
        alike = same(others, {name: v for name, v in group[0].arguments.items() if name != way.argument})
        if not alike or not same(step.arguments.get(way.argument), wanted) or not _has(step.result, way):
            return False
        if way.goes_on(step.result, wanted) != (index < len(group) - 1):
            return False
        wanted = way.next(step.result, wanted)
    return True


def _has(page: Json, way: Pages) -> bool:
    return isinstance(page, dict) and isinstance(page.get(way.items), list)


def _items(page: Json, key: str) -> list[Json]:
    found = follow(page, (key,), RunScope())
    if not isinstance(found, list):
        raise Missing(key)
    return found
