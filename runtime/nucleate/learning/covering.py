"""Whether a tool in force does already what a plan does, so that it is not codified once more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from nucleate.versions import USABLE
from nucleate_codifier import Template
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool

MATCHED = 2 / 3


def covering(plan: Entry, tools: Sequence[Tool], occurrences: Sequence[Occurrence]) -> str | None:
    """Return the name of a tool in force that does what the plan does."""
    usable = (tool for tool in tools if tool.state in USABLE.values())
    return next((tool.name for tool in usable if _covers(tool, plan, occurrences)), None)


def _covers(tool: Tool, plan: Entry, occurrences: Sequence[Occurrence]) -> bool:
    """Return whether a tool does two thirds of a plan's runs, as codification would ask.

    A model's tool has no template to recognise runs by: while it is in force, its own plan counts as covered.
    """
    if not tool.version.template:
        return tool.plan_id == plan.id
    template = _template(json.dumps(tool.version.template))
    possible, wanted = len(occurrences), MATCHED * len(occurrences)
    for run in occurrences:
        possible -= not _does(template, run)
        if possible < wanted:
            return False
    return True


@lru_cache(maxsize=256)
def _template(text: str) -> Template:
    return Template.from_json(json.loads(text))


def _does(template: Template, run: Occurrence) -> bool:
    match = template.match(run.trajectory.steps, run.start)
    return match is not None and match.stop == run.stop
