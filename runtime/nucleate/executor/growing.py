"""Offers that grow with a run: tools that did not fit the query alone, told when what they need is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nucleate.executor.prompting import render
from nucleate.executor.showing import tools_text
from nucleate_sandbox import canonical
from nucleate_text_memory import Step
from nucleate_tool_library import ToolVersion

_LONGEST = 20_000  # characters of one answer that are looked at
_MOST = 3  # tools that one step adds: more tools, more calls

Fitting = Callable[[Sequence[str]], Iterable[ToolVersion]]
"""Returns the tools that fit after these answers, best first."""


class GrowingOffers:
    """The offers of one run. What the prompt shows, or was told before, is not told again."""

    def __init__(self, fitting: Fitting, shown: Iterable[str]) -> None:
        self._fitting = fitting
        self._shown = set(shown)
        self._answers: list[str] = []

    def after(self, steps: Iterable[Step]) -> str:
        """Return what to add to an observation: the tools that fit since these steps; empty where none does."""
        heard = [canonical(step.result)[:_LONGEST] for step in steps if step.error is None]
        if not heard:
            return ""
        self._answers += heard
        new = [version for version in self._fitting(self._answers) if version.name not in self._shown][:_MOST]
        self._shown |= {version.name for version in new}
        return render("offered", tools=tools_text(new)) if new else ""
