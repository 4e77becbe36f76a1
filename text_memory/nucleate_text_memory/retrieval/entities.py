"""Names, ids, error codes and quoted words: what two texts share when they speak of the same thing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from nucleate_text_memory.retrieval.lexical import Positions, Scores, best, idf

_QUOTED = re.compile(r"[\"“«「]([^\"“”«»「」]{2,60})[\"”»」]|`([^`]{2,60})`")
_CODE = re.compile(r"(?<![A-Za-z0-9_])[#@]?(?=[\w.:/@-]{0,99}[\d_./@])[A-Za-z0-9][\w.:/@-]{0,199}\w")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]++(?:\s++(?:(?:of|the|de|van)\s++)?[A-Z][\w'-]++)*")
_POSSESSIVE = re.compile(r"['’]s?$")


def entities(text: str) -> list[str]:
    """Return the entities of a text in lower case, each once: quoted words, codes and ids, capitalised names."""
    quoted = [first or second for first, second in _QUOTED.findall(text)]
    found = [*quoted, *_CODE.findall(text), *_NAME.findall(text)]
    return list(dict.fromkeys(name for each in found if len(name := _plain(each)) > 1))


def _plain(name: str) -> str:
    return " ".join(_POSSESSIVE.sub("", name.strip("#@ ")).casefold().split())


class EntityIndex:
    """Which document names which entity."""

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        lists: dict[str, list[int]] = defaultdict(list)
        self._count = 0
        for position, named in enumerate(documents):
            self._count += 1
            for name in dict.fromkeys(_plain(each) for each in named):
                lists[name].append(position)
        self._where: Mapping[str, Positions] = {name: np.array(found, np.int64) for name, found in lists.items()}

    @property
    def nbytes(self) -> int:
        """Return the size of the postings in bytes."""
        return sum(where.nbytes for where in self._where.values())

    def search(self, names: Sequence[str], limit: int) -> tuple[Positions, Scores]:
        """Return the documents that share an entity, by the sum of the inverse document frequencies of those shared."""
        every = np.zeros(self._count)
        for name in names:
            where = self._where.get(name)
            if where is not None:
                every[where] += idf(len(where), self._count)
        return best(every, limit)

    def shared(self, names: Sequence[str], position: int) -> list[str]:
        """Return which of the names a document holds."""
        return [name for name in names if name in self._where and position in self._where[name]]
