"""The names of functions that recordings give rise to: each foreign name keeps one, and no two share one."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_text_memory.names import function_name, kept_apart, spoken

Taken = dict[str, str]


class NamesInUse:
    """Remembers which foreign name each function of an environment stands for, over several recordings."""

    def __init__(self) -> None:
        self._taken: dict[str, Taken] = {}
        self.apart: dict[str, str] = {}

    def know(self, environment: str, names: Mapping[str, str]) -> None:
        """Take over what is known of an environment: the foreign name of each function."""
        taken = self._taken.setdefault(environment, {})
        for function, name in names.items():
            taken.setdefault(function, name)

    def function(self, name: str, environment: str) -> str:
        """Return the function that a foreign name is called; `apart` tells those that read like another one."""
        plain = function_name(name, environment)
        found = kept_apart(spoken(name, environment), plain, self._taken.setdefault(environment, {}))
        if found != plain:
            self.apart[found] = name
        return found
