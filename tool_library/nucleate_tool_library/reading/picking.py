"""Which of a tool's versions somebody means: by number, by release or by the beginning of its id."""

from __future__ import annotations

from typing import Any

from nucleate_tool_library.errors import LibraryError
from nucleate_tool_library.reading import lines, reach
from nucleate_tool_library.reading.statements import StatementRunner

# The events that put a version in force; a version that was only tried beside it has none of them.
IN_FORCE = frozenset({"registered", "replaced", "rolled back", "relinked", "renamed"})
_SHORTEST = 6  # hexadecimal digits


def pick(run: StatementRunner, tool: Any, text: str) -> str:
    """Return the id of the version that a text means; raise LibraryError if there is none, or more than one."""
    events = in_force(run, tool)
    for row in reversed(events):
        if text in (row.release, str(row.number), f"v{row.number}", row.version_id):
            return str(row.version_id)
    found = {key for key in reach.versions_of(run, tool) if len(text) >= _SHORTEST and key.startswith(text)}
    if len(found) == 1:
        return found.pop()
    known = ", ".join(dict.fromkeys(row.release for row in events))
    raise LibraryError(f"{tool.name!r} has no version {text!r}; it has {known} (`nucleate tools history {tool.name}`)")


def in_force(run: StatementRunner, tool: Any) -> list[Any]:
    """Return the events that put a version in force, the oldest first."""
    return [row for row in lines.events(run, tool) if row.action in IN_FORCE]
