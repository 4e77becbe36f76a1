"""The tools of a scope, read again only after a tool has changed: most plans that are due need no new one."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_tool_library import Tool, ToolLibrary


class Shelf:
    """Keeps whole tools in memory; how often they were used is as of when they were read."""

    def __init__(self, library: ToolLibrary) -> None:
        self._library = library
        self._kept: dict[str, tuple[int, Sequence[Tool]]] = {}

    def tools(self, scope: str) -> Sequence[Tool]:
        """Return the tools of a scope in every state."""
        revision = self._library.revision()  # before the tools: a change in between is read the next time
        kept = self._kept.get(scope)
        if kept is None or kept[0] != revision:
            kept = self._kept[scope] = revision, self._library.tools(scope=scope)
        return kept[1]
