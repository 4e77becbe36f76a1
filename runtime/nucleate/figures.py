"""What the runtime has done so far, as figures: experience, memory, verdicts, tools, work saved, jobs, money."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TypeAlias

from nucleate.jobs import shown
from nucleate.models import model_use
from nucleate_codifier import judgements
from nucleate_text_memory.reading.counting import counts
from nucleate_tool_library import LibraryReader, StatementRunner

Figures: TypeAlias = Mapping[str, float]
# What the text memory counts of trajectories; the rest of it is about entries.
_RUNS = ("trajectories", "solved")


def stats(run: StatementRunner, *, today: str) -> dict[str, Figures]:
    """Return the figures by section; every section is there, also where nothing has happened yet. `today` is in UTC."""
    memory, library = counts(run), LibraryReader(lambda: nullcontext(run))
    return {
        "experience": {name: memory[name] for name in _RUNS},
        "memory": {name: count for name, count in memory.items() if name not in _RUNS},
        "verdicts": judgements.counts(run),
        "tools": _tools(library),
        **_uses(library),
        "jobs": shown.counts(run),
        "models": _models(run, today),
    }


def _models(run: StatementRunner, today: str) -> Figures:
    days = model_use.days(run)
    return {
        "calls": sum(day.calls for day in days),
        "prompt tokens": sum(day.prompt_tokens for day in days),
        "completion tokens": sum(day.completion_tokens for day in days),
        "dollars": sum((day.dollars for day in days), 0.0),
        "dollars today": model_use.dollars_on(run, today),
    }


def _tools(library: LibraryReader) -> Figures:
    use = library.stats()
    states = [line.state.value for line in library.listing()]
    by_state = {state: states.count(state) for state in sorted(set(states))}
    return {**by_state, "uses per tool": use.uses_per_tool, "share ever used": use.share_used}


def _uses(library: LibraryReader) -> dict[str, Figures]:
    paths = library.paths()
    return {
        "calls by path": {item.path: item.uses for item in paths},
        "calls": {
            "of tools": sum(item.uses for item in paths),
            "failed": sum(item.uses - item.passes for item in paths),
            "saved": sum(item.calls_saved for item in paths),
        },
    }
