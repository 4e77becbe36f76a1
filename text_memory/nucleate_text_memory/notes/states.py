"""What rows were like before a call worked or failed, and what of them it changed."""

from __future__ import annotations

from typing import Any

from nucleate_text_memory.values import Json, JsonObject

_LONGEST = 24
_VALUES = 12
_GROUPS = 12
_FIELDS = 16


class States:
    """Counts of a function's calls with the id of a row that an earlier answer showed.

    `before` leads from (function that showed the row, field) to value → groups in which the call worked, and failed;
    `after` from a field to `old → new` and its count, where `*` stands for other changes; `compared` counts rows that
    were seen before and after.
    """

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        state = state or {}
        self.before: dict[str, dict[str, list[list[str]]]] = dict(state.get("before", {}))
        self.after: dict[str, dict[str, int]] = dict(state.get("after", {}))
        self.compared: int = state.get("compared", 0)

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        return {"before": self.before, "after": self.after, "compared": self.compared}

    def called(self, shown_by: str, row: JsonObject, group: str, *, worked: bool) -> None:
        """Count what a row was like when the function was called with its id."""
        for field, value in _words(row):
            counts = self.before.setdefault(f"{shown_by} {field}", {})
            if value in counts or len(counts) < _VALUES:
                groups = counts.setdefault(value, [[], []])[0 if worked else 1]
                if group not in groups and len(groups) < _GROUPS:
                    groups.append(group)

    def changed(self, old: JsonObject, new: JsonObject) -> None:
        """Count what differs in a row after the call."""
        self.compared += 1
        told = dict(_words(new))
        for field in list(old.keys() & new.keys())[:_FIELDS]:
            if not _same(old[field], new[field]):
                counts = self.after.setdefault(field, {})
                change = f"{old[field]} → {told[field]}" if field in told else "*"
                if change in counts or len(counts) < _VALUES:
                    counts[change] = counts.get(change, 0) + 1


def _same(old: Json, new: Json) -> bool:
    return old == new or (isinstance(old, str | float | int) and str(old) == str(new))


def rows_in(arguments: JsonObject, result: Json) -> dict[str, JsonObject]:
    """Return id → row of what an answer shows: the row that was asked for by its id, and the rows of lists below."""
    found: dict[str, JsonObject] = {}
    if isinstance(result, dict):
        given = {str(value) for value in arguments.values() if isinstance(value, str | int)}
        for field, value in result.items():
            if isinstance(value, str | int) and not isinstance(value, bool) and _is_id(field, str(value), given):
                found.setdefault(str(value), result)
    for item in result if isinstance(result, list) else []:
        if isinstance(item, dict):
            found |= {key: row for key, row in rows_in(arguments, item).items() if key not in found}
    return found


def _is_id(field: str, value: str, given: set[str]) -> bool:
    return value in given or (field.lower() in {"id", "id_"} or field.lower().endswith("_id"))


def _words(row: JsonObject) -> list[tuple[str, str]]:
    """Return the fields whose value is a short word or true or false: what a state can be told by."""
    found = [
        (field, str(value))
        for field, value in row.items()
        if isinstance(value, bool)
        or (isinstance(value, str) and 0 < len(value) <= _LONGEST and not any(char.isdigit() for char in value))
    ]
    return found[:_FIELDS]
