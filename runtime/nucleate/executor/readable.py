"""A value as a model reads it: what is empty left out, alike rows as a table, what was shown already not again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nucleate_sandbox import Json, JsonObject

_FEWEST_ROWS = 3
_FULL = 0.8  # the share of cells that must be filled
_SHORTEST_AGAIN = 60  # characters of a structure that is worth pointing back to


def readable(value: Json) -> str:
    """Return a value in text: long texts as they are, all else as JSON with tables in it."""
    if isinstance(value, str) and "\n" in value:
        return value
    return _Shown().text(_kept(value), "")


class _Shown:
    """What was shown so far, by its JSON, and where."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def text(self, value: Json, place: str) -> str:
        if not isinstance(value, dict | list) or not value:
            return _json(value)
        whole = _json(value)
        if whole in self._places:
            return f"(the same as {self._places[whole]})"
        if len(whole) >= _SHORTEST_AGAIN:
            self._places[whole] = place or "the whole"
        if isinstance(value, dict):
            pairs = (f"{_json(key)}: {self.text(item, _inside(place, key))}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        columns = _columns(value)
        if columns:
            return _table(value, columns)
        return f"[{', '.join(self.text(item, f'{place}[{at}]') for at, item in enumerate(value))}]"


def _kept(value: Json) -> Json:
    """Return a value without the fields that hold nothing; an element of a list stays, since its place counts."""
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items() if item is not None}
    return [_kept(item) for item in value] if isinstance(value, list) else value


def _columns(rows: Sequence[Json]) -> tuple[str, ...]:
    """Return the keys of rows that are alike, in order: no structures, few empty cells; none where they differ."""
    dicts = [row for row in rows if isinstance(row, dict) and _flat(row)]
    columns = dict.fromkeys(key for row in dicts for key in row)
    cells = sum(len(row) for row in dicts)
    if len(dicts) < max(len(rows), _FEWEST_ROWS) or not 1 < len(columns) <= 20:
        return ()
    return tuple(columns) if cells >= _FULL * len(columns) * len(rows) else ()


def _flat(row: JsonObject) -> bool:
    return not any(isinstance(item, dict | list) for item in row.values())


def _table(rows: Sequence[Json], columns: Sequence[str]) -> str:
    lines = [
        " | ".join(_json(row[column]) if column in row else "" for column in columns)
        for row in rows
        if isinstance(row, dict)
    ]
    return "\n".join([f"[{len(rows)} rows of {' | '.join(columns)}:", *lines]) + "]"


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
