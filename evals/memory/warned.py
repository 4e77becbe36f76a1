"""Real runs in the order of their trials: which later errors had a lesson warned of, and how often for nothing?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track

from evals.memory.place import opened
from nucleate_text_memory import Entry, Kind, TextMemory, Trajectory, read_trajectories
from nucleate_text_memory.recordings.error_classes import error_keys, error_signature

SCOPE = "airline"


@dataclass(frozen=True, kw_only=True)
class Warned:
    """Counts over all runs. A warning is an entry about the function that is called next; it counts once a run."""

    runs: int
    errors: int
    seen_before: int
    warned: int
    warned_by_search: int
    false_warnings: int

    @property
    def false_per_run(self) -> float:
        """Return the mean number of warnings in a run that the run gave no cause for."""
        return self.false_warnings / self.runs if self.runs else 0.0


def measure(file: Path) -> Warned:
    """Ask the memory before each run what it knows, then let it learn from the run."""
    with file.open(encoding="utf-8") as lines:
        runs = [run for run in read_trajectories(lines, environment=SCOPE) if isinstance(run, Trajectory)]
    counts = dict.fromkeys(("errors", "seen_before", "warned", "warned_by_search", "false_warnings"), 0)
    seen: set[tuple[str, ...]] = set()
    with opened() as memory:
        for run in track(sorted(runs, key=_trial), description="pitfalls"):
            lessons = _lessons(memory)
            for name, count in _count(memory, run, lessons, seen).items():
                counts[name] += count
            seen |= error_keys(run).keys()
            memory.store(run)
            memory.reflect(run.task_id)
    return Warned(runs=len(runs), **counts)


def _count(memory: TextMemory, run: Trajectory, lessons: list[Entry], seen: set[tuple[str, ...]]) -> dict[str, int]:
    called = {step.function for step in run.steps}
    warnings = {entry.signature for entry in lessons if entry.signature[0] in called}
    found = {entry.signature for entry in _searched(memory, run)}
    errors = list(_errors(run))
    before: list[bool] = []
    met = set(seen)
    for error in errors:
        before.append(error in met)
        met.add(error)
    return {
        "errors": len(errors),
        "seen_before": sum(before),
        "warned": sum(error in warnings for error in errors),
        "warned_by_search": sum(error in found for error in errors),
        "false_warnings": len(warnings - set(errors)),
    }


def _lessons(memory: TextMemory) -> list[Entry]:
    if SCOPE not in memory.scopes():
        return []
    return [entry for entry in memory.entries(SCOPE) if entry.kind is not Kind.PLAN and entry.signature]


def _searched(memory: TextMemory, run: Trajectory) -> Iterator[Entry]:
    if SCOPE in memory.scopes():
        for item in memory.select(run.query, scope=SCOPE, kinds=(Kind.PITFALL, Kind.FACT), limit=8):
            yield item.entry


def _errors(run: Trajectory) -> Iterator[tuple[str, str, str]]:
    for step in run.steps:
        if step.error is not None and "." in step.function:
            yield error_signature(step)


def _trial(run: Trajectory) -> tuple[int, int]:
    _, _, task, _, trial = run.task_id.split("-")
    return int(trial), int(task)
