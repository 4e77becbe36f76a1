"""Recorded steps with calls of admitted tools in the place of the steps that these can replace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nucleate_codifier.trace.align.template import Match, Template
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Step
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A tool's call that replaces steps [start, stop) of the recording."""

    name: str
    arguments: JsonObject
    replaces: tuple[int, int]


def rewrite(steps: Sequence[Step], tools: Sequence[ToolVersion]) -> tuple[Step | ToolCall, ...]:
    """Replace what tools can replace, left to right; where several match, the one that replaces the most calls.

    A match needs the tool's calls with the tool's own data flow; equally long matches go to the first name.
    """
    templates = [(tool.name, Template.from_json(tool.template)) for tool in tools if tool.template]
    rewritten: list[Step | ToolCall] = []
    position = 0
    while position < len(steps):
        best = _best(steps, position, templates)
        if best is None:
            rewritten.append(steps[position])
            position += 1
        else:
            name, match = best
            rewritten.append(ToolCall(name=name, arguments=match.arguments, replaces=(match.start, match.stop)))
            position = match.stop
    return tuple(rewritten)


def _best(steps: Sequence[Step], position: int, templates: Sequence[tuple[str, Template]]) -> tuple[str, Match] | None:
    if steps[position].error is not None:
        return None
    found = [(name, match) for name, template in templates if (match := template.match(steps, position)) is not None]
    worth = [(name, match) for name, match in found if len(match.steps) > 1]
    return min(worth, key=lambda pair: (-len(pair[1].steps), pair[0]), default=None)
