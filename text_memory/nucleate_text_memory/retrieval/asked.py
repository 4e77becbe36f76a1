"""What a query says: its words, entities, the authors it names, the date, and whether it asks for a time."""

from __future__ import annotations

import re
from calendar import month_name
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nucleate_text_memory.retrieval.collection import Collection
from nucleate_text_memory.retrieval.documents import Query
from nucleate_text_memory.retrieval.entities import entities
from nucleate_text_memory.retrieval.words import words

_MONTHS = tuple(name.casefold() for name in month_name[1:])
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b")
_MAY = re.compile(r"\b(in|of|on|since|until|\d+(st|nd|rd|th)?)\s+may\b|\bmay,?\s+\d")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b")
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_WHEN = re.compile(r"^when\b|\bwhat (date|day|month|year)\b|\bhow (long|often)\b")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A query, understood against one collection."""

    words: tuple[str, ...]
    content: tuple[str, ...]
    entities: tuple[str, ...]
    authors: tuple[str, ...]
    months: tuple[int, ...]
    days: tuple[int, ...]
    years: tuple[int, ...]
    when: bool
    vector: NDArray[np.float32] | None


def understand(query: Query, collection: Collection) -> Asked:
    """Return what a query says. `content` are its words without the authors' names, if any are left then.

    An author's name is no entity: it tells whom a text is by, and few texts say it.
    """
    folded = query.text.casefold()
    named = [name for name in collection.authors if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", folded)]
    every = words(query.text)
    authors = {name.casefold() for name in collection.authors}
    names = {word for name in collection.authors for word in words(name)}
    months = [_MONTHS.index(name) + 1 for name in _MONTH.findall(folded) if name != "may" or _MAY.search(folded)]
    return Asked(
        words=tuple(every),
        content=tuple(word for word in every if word not in names) or tuple(every),
        entities=tuple(name for name in entities(query.text) if name not in authors),
        authors=tuple(named),
        months=tuple(months),
        days=tuple(int(day) for day in _DAY.findall(folded)),
        years=tuple(int(year) for year in _YEAR.findall(folded)),
        when=bool(_WHEN.search(folded)),
        vector=collection.embed(query.text),
    )
