"""The benchmark's result: figures, one table, and a chart of calls per task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.bfcl_heldout import Comparison
from evals.bfcl_tally import Tally
from evals.report import Report, print_table, write_bars, write_json
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class Result:
    """Everything that one run measured."""

    tasks: int
    tally: Tally
    tools: tuple[ToolVersion, ...]
    comparisons: tuple[Comparison, ...]
    sandbox: str
    learning_seconds: float
    seconds: float

    @property
    def used(self) -> list[str]:
        """Return the tools that were called at least once on a held-out task."""
        return sorted({name for item in self.comparisons for name in item.tools})

    def mean(self, field: str) -> float:
        """Return the mean of a number of calls over the held-out tasks."""
        total: int = sum(getattr(item, field) for item in self.comparisons)
        return round(total / max(1, len(self.comparisons)), 3)

    def count(self, field: str) -> int:
        """Return for how many held-out tasks something is true."""
        return sum(bool(getattr(item, field)) for item in self.comparisons)

    @property
    def figures(self) -> dict[str, Json]:
        """Return the figures by their lasting names, and what explains them."""
        return {
            "tasks_stream": self.tasks,
            "tasks_heldout": len(self.comparisons),
            "identical_states": self.count("identical"),
            "identical_answers": self.count("answers"),
            "plans": self.tally.plans,
            "candidates": self.tally.candidates,
            "refused": dict(sorted(self.tally.refused.items())),
            "admitted": len(self.tools),
            "used_heldout": len(self.used),
            "tasks_with_tools": self.count("tools"),
            "calls_before": self.mean("before"),
            "calls_after": self.mean("after"),
            "identical_without_any_call": self.count("idle"),
            "identical_without_the_last_call": self.count("cut"),
            "sandbox": self.sandbox,
            "learning_seconds": round(self.learning_seconds, 1),
            "seconds": round(self.seconds, 1),
        }


def publish(result: Result, *, json_file: Path | None, png_file: Path | None) -> None:
    """Print the table, and write the files that were asked for."""
    print_table("BFCL: ground truth with learned tools", list(_lines(result)))
    if json_file is not None:
        rows = [_row(item) for item in result.comparisons]
        write_json(Report(name="bfcl", figures=result.figures, rows=rows), json_file)
    if png_file is not None:
        bars = {"as recorded": result.mean("before"), "with learned tools": result.mean("after")}
        write_bars(png_file, f"BFCL: {len(result.comparisons)} held-out tasks", bars, unit="calls per task")


def _lines(result: Result) -> Iterator[tuple[str, object]]:
    total, before, after = len(result.comparisons), result.mean("before"), result.mean("after")
    yield "tasks learned from", result.tasks
    yield "distinct plans", result.tally.plans
    yield "candidates", result.tally.candidates
    for gate, number in sorted(result.tally.refused.items()):
        yield f"  refused by {gate}", number
    yield "tools admitted", len(result.tools)
    yield "tools used on held-out tasks", len(result.used)
    yield "held-out tasks", total
    yield "  solved with at least one tool", result.count("tools")
    yield "  calls per task as recorded", f"{before:.2f}"
    yield "  calls per task with tools", f"{after:.2f} ({_percent(after - before, before)})"
    yield "  final state identical", f"{result.count('identical')} of {total}"
    yield "  every answer of the APIs identical", f"{result.count('answers')} of {total}"
    yield "  identical after no call at all", f"{result.count('idle')} of {total}"
    yield "  identical without the last call", f"{result.count('cut')} of {total}"
    yield "sandbox", result.sandbox
    yield "seconds", f"{result.seconds:.0f} ({result.learning_seconds:.0f} to learn)"


def _percent(change: float, base: float) -> str:
    return f"{100 * change / base:+.1f} %" if base else "±0 %"


def _row(item: Comparison) -> JsonObject:
    return {
        "task": item.task_id,
        "calls_before": item.before,
        "calls_after": item.after,
        "identical": item.identical,
        "identical_answers": item.answers,
        "tools": list(item.tools),
        "failures": list(item.failures),
    }
