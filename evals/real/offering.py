"""What an agent is offered at a step, as the runtime would offer it."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.runtime import Runtime
from nucleate_tool_library import ToolVersion


class Offers:
    """The tools offered in one run, best first; `said` and `answers` are in lower case, which forms do not keep."""

    def __init__(self, runtime: Runtime, scope: str, turns: Sequence[str]) -> None:
        self._runtime = runtime
        self._scope = scope
        self._turns = turns
        choice = runtime.manager.choose(turns[0], scope=scope, states=runtime.callable_states)
        self.entries = frozenset(item.entry.signature for item in choice.entries)

    def at(self, said: Sequence[str], answers: Sequence[str]) -> list[ToolVersion]:
        """Return what is offered after what the user said and calls answered so far."""
        found = self._runtime.manager.offers(
            self._turns[: len(said)], answers, scope=self._scope, states=self._runtime.callable_states
        )
        return [item.version for item in found]
