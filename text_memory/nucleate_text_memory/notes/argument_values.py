"""What a function's arguments were in calls that worked: the few values that are taken, or the form they all have."""

from __future__ import annotations

import json
import re
from typing import Any

from nucleate_text_memory.values import Json

_VALUES = 6
_LONGEST = 40
_GROUPS = 3
_OFTEN = 0.9
_RUN = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|.", re.DOTALL)


class ArgumentValues:
    """Counts over successful calls; `values` leads from a text to the groups that used it, None once there are many.

    `forms` counts masks: letters and digits stand for any of their kind, all other characters for themselves.
    """

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        state = state or {}
        self.met: int = state.get("met", 0)
        self.values: dict[str, list[str]] | None = state.get("values", {})
        self.forms: dict[str, int] = dict(state.get("forms", {}))
        self.groups: list[str] = list(state.get("groups", []))
        self.others: list[str] = list(state.get("others", []))

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        return {
            "met": self.met,
            "values": self.values,
            "forms": self.forms,
            "groups": self.groups,
            "others": self.others,
        }

    def see(self, value: Json, group: str) -> None:
        """Count a value that was accepted."""
        if not isinstance(value, str):
            self._see_other(value)
            return
        self.met += 1
        _add(self.groups, group)
        if self.values is not None:
            _add(self.values.setdefault(value, []), group)
            if len(self.values) > _VALUES or len(value) > _LONGEST:
                self.values = None
        form = mask(value)
        if form in self.forms or len(self.forms) < _VALUES:
            self.forms[form] = self.forms.get(form, 0) + 1

    def _see_other(self, value: Json) -> None:
        """Count a value that is no text: which they are is nobody's choice of words."""
        text = json.dumps(value, sort_keys=True)[:_LONGEST]
        if text not in self.others and len(self.others) < _VALUES:
            self.others.append(text)

    @property
    def varies(self) -> bool:
        """Return whether more than one value was accepted."""
        texts = _VALUES if self.values is None else len(self.values)
        return texts + len(self.others) > 1

    @property
    def allowed(self) -> list[str]:
        """Return the values that calls choose among: each used by several groups, so that none is anybody's own."""
        found = self.values or {}
        shared = [value for value, groups in found.items() if len(groups) >= 2 and _is_word(value)]
        return sorted(shared) if 2 <= len(shared) == len(found) and len(self.groups) >= _GROUPS else []

    @property
    def form(self) -> str | None:
        """Return the mask that nearly all values of several groups have; None for plain words."""
        if not self.forms or len(self.groups) < _GROUPS:
            return None
        best = max(self.forms, key=lambda form: (self.forms[form], form))
        told = any(not char.isalpha() and not char.isspace() for char in best) and len(best) <= _LONGEST
        return best if told and self.forms[best] >= _OFTEN * self.met else None


def mask(value: str) -> str:
    """Return a text's form: `#W9911714` is `#W0000000`; letters that are followed by digits stay where they lead."""
    parts = _RUN.findall(value[: _LONGEST * 2])
    return "".join(_masked(part, first=at < 2) for at, part in enumerate(parts))


def _masked(part: str, *, first: bool) -> str:
    if part.isdigit():
        return "0" * len(part)
    if part.isalpha() and not (first and len(part) == 1):
        return ("A" if part.isupper() else "a") * len(part)
    return part


def _is_word(value: str) -> bool:
    return bool(value) and not any(char.isdigit() for char in value) and "@" not in value


def _add(groups: list[str], group: str) -> None:
    if group not in groups and len(groups) < _GROUPS:
        groups.append(group)
