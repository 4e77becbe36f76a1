"""The names of functions that recordings give rise to: each foreign name keeps one, and no two share one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nucleate_text_memory.recordings.names import function_name, kept_apart, spoken

Taken = dict[str, str]


class NamesInUse:
    """Remembers which foreign name each function of an environment stands for, over several recordings."""

    def __init__(self, known: Callable[[str], Mapping[str, str]] = lambda _: {}) -> None:
        self._known = known
        self._taken: dict[str, Taken] = {}
        self.apart: dict[str, str] = {}

    def function(self, name: str, environment: str) -> str:
        """Return the function that a foreign name is called; `apart` tells those that read like another one."""
        plain = function_name(name, environment)
        whole, own = spoken(name, environment)
        found = kept_apart(whole, plain, self._of(environment), own=own)
        if found != plain:
            self.apart[found] = name
        return found

    def foreign(self, environment: str) -> Mapping[str, str]:
        """Return the foreign name of each function that has another one, `known` from before or met since."""
        return {function: name for function, name in self._of(environment).items() if function != name}

    def _of(self, environment: str) -> Taken:
        if environment not in self._taken:
            self._taken[environment] = dict(self._known(environment))
        return self._taken[environment]
