"""What an agent is offered at a step, as the runtime would offer it."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.runtime import Runtime
from nucleate_tool_library import ToolVersion


class Offers:
    """The tools offered in one run, best first."""

    def __init__(self, runtime: Runtime, scope: str, query: str) -> None:
        states = runtime.callable_states
        self._choice = runtime.manager.choose(query, scope=scope, states=states)

    def at(self, said: Sequence[str], answers: Sequence[str]) -> list[ToolVersion]:
        """Return what is offered after what the user said and calls answered so far."""
        del said, answers
        return [item.version for item in self._choice.tools]

    @property
    def entries(self) -> list[str]:
        """Return the ids of the text entries that are given."""
        return [item.entry.id for item in self._choice.entries]
