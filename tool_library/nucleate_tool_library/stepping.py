"""Lets a version take its tool's place, under the next numbers and with an event."""

from __future__ import annotations

from nucleate_tool_library import storing
from nucleate_tool_library.reading import reach
from nucleate_tool_library.store import Edit
from nucleate_tool_library.tables import ToolRow
from nucleate_tool_library.values import State, ToolVersion
from nucleate_tool_library.version_numbers import VersionStep, next_release


def advance(
    edit: Edit,
    tool: ToolRow,
    version: ToolVersion,
    *,
    state: State,
    action: str,
    why: str,
    step: VersionStep | None = None,
) -> None:
    """Let a version be in force; whether it may was checked before. The step is measured where it is not known."""
    was, before = tool.state, tool.version_id
    storing.add_version(edit.session, version, edit.at)
    storing.own(edit.session, version.id, tool.id)
    tool.number += 1
    tool.release = next_release(
        tool.release, reach.step_between(edit.run, before, version.id) if step is None else step
    )
    tool.version_id, tool.state = version.id, state.value
    edit.record(tool, action, was=was, why=why)
