"""Whether a text mentions a value, and whether a value says enough for an equality to be no coincidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_sandbox import Json
from nucleate_text_memory.origins import Origins, beside
from nucleate_text_memory.origins import telling as telling_origin

STEM = 5  # letters
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, kw_only=True)
class Mentions:
    """A query, and values that were seen beside it."""

    text: str
    values: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, values: Iterable[Json] = ()) -> Mentions:
        """Fold the text's case once, so that many values can be looked for."""
        return cls(text=text.casefold(), values=frozenset(fingerprint(value) for value in values))

    def __contains__(self, value: object) -> bool:
        """Return whether a string or number stands in the text as a word of its own, or among the values."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return False
        if fingerprint(value) in self.values:
            return True
        return any(self._stands(form) for form in _forms(value))

    def means(self, value: Json, argument: str) -> bool:
        """Return whether the text gives this value for an argument: a short one stands beside a word for it."""
        if telling_origin(value) or not isinstance(value, str | int | float) or isinstance(value, bool):
            return value in self
        return value in self and beside(value, self.text, argument)

    def implies(self, value: str) -> bool:
        """Return whether a word of the text begins as one of the value: `refunded`, `refund_id`."""
        stems = {word[:STEM] for word in _WORD.findall(value.casefold()) if len(word) >= STEM}
        return any(re.search(rf"(?<![^\W_]){re.escape(stem)}", self.text) for stem in stems)

    def _stands(self, form: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", self.text) is not None


@dataclass(frozen=True, kw_only=True)
class Stated(Mentions):
    """What the user said before an answer held it; what only repeats an answer is not there."""

    origins: Origins
    start: int

    def __contains__(self, value: object) -> bool:
        """Return whether the user stated a text or number before the plan's first call."""
        scalar = isinstance(value, str | int | float) and not isinstance(value, bool)
        return scalar and self.origins.stated(cast("Json", value), before=self.start)


def leaves(value: Json) -> list[Json]:
    """Return the scalars inside a value, in order."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def informative(value: Json) -> bool:
    """Return whether meeting the value twice tells something: 'ann_17', 4711 and 12.5 do; 1, '' and true do not."""
    if isinstance(value, dict | list):
        return any(informative(leaf) for leaf in leaves(value))
    if isinstance(value, str):
        return len(value.strip()) >= 3
    if isinstance(value, float) and not value.is_integer():
        return True
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value) >= 100


def identifying(value: Json) -> bool:
    """Return whether the value can only mean one thing: an id like 12446 or 'ann_17', a name or an address."""
    if isinstance(value, str):
        return len(value.strip()) >= 6
    return isinstance(value, int | float) and informative(value)


def telling(column: Sequence[Json]) -> bool:
    """Return whether a source that explains the whole column is more than a coincidence.

    Two different informative values are enough; of values like 1 or 'a' it takes three different ones.
    """
    different = len({fingerprint(value) for value in column})
    if all(informative(value) for value in column):
        return different >= 2
    return different >= 3 and not any(isinstance(value, bool) or value is None for value in column)


def _forms(value: str | float) -> list[str]:
    if isinstance(value, str):
        return [value.strip().casefold()] if value.strip() else []
    whole = isinstance(value, int) or value.is_integer()
    forms = [str(value), f"{value:g}"] if not whole else [str(int(value)), f"{int(value):,}", f"{float(value)}"]
    return list(dict.fromkeys(forms))
