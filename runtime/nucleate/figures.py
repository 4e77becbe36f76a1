"""What the runtime has done so far, as figures: experience, memory, verdicts, tools, work saved, jobs, money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sqlalchemy import Engine

from nucleate.jobs.queue import Jobs
from nucleate.models.ledger import Ledger
from nucleate_codifier import Verdicts
from nucleate_text_memory import TextMemory
from nucleate_tool_library import ToolLibrary

Figures: TypeAlias = Mapping[str, float]
# What TextMemory.stats() counts of trajectories; the rest of it is about entries.
_RUNS = ("trajectories", "solved")


def stats(engine: Engine) -> dict[str, Figures]:
    """Return the figures by section; every section is there, also where nothing has happened yet."""
    memory, library = TextMemory(engine).stats(), ToolLibrary(engine)
    return {
        "experience": {name: memory[name] for name in _RUNS},
        "memory": {name: count for name, count in memory.items() if name not in _RUNS},
        "verdicts": Verdicts(engine).counts(),
        "tools": _tools(library),
        **_uses(library),
        "jobs": Jobs(engine).counts(),
        "models": _models(Ledger(engine)),
    }


def _models(ledger: Ledger) -> Figures:
    days = ledger.days()
    return {
        "calls": sum(day.calls for day in days),
        "prompt tokens": sum(day.prompt_tokens for day in days),
        "completion tokens": sum(day.completion_tokens for day in days),
        "dollars": sum((day.dollars for day in days), 0.0),
        "dollars today": ledger.dollars_today(),
    }


def _tools(library: ToolLibrary) -> Figures:
    use = library.stats()
    states = [line.state.value for line in library.listing()]
    by_state = {state: states.count(state) for state in sorted(set(states))}
    return {**by_state, "uses per tool": use.uses_per_tool, "share ever used": use.share_used}


def _uses(library: ToolLibrary) -> dict[str, Figures]:
    paths = library.paths()
    return {
        "calls by path": {item.path: item.uses for item in paths},
        "calls": {
            "of tools": sum(item.uses for item in paths),
            "failed": sum(item.uses - item.passes for item in paths),
            "saved": sum(item.calls_saved for item in paths),
        },
    }
