"""What learned tools do on tasks that nobody learned from: figures, one table, a chart, and the tools themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.heldout import Comparison
from evals.report import Report, print_table, write_bars, write_json
from evals.tally import Tally
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class Result:
    """Everything that one run measured; `name` is the evaluation's, `title` is for people."""

    name: str
    title: str
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

    @property
    def helpers(self) -> list[str]:
        """Return the tools that were not called themselves, but by a tool that was."""
        by_id = {version.id: version for version in self.tools}
        inside = [version for version in self.tools if version.name in self.used]
        for version in inside:
            inside += [by_id[key] for key in version.dependencies if key in by_id and by_id[key] not in inside]
        return sorted({version.name for version in inside} - set(self.used))

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
            "refused_rules": dict(sorted(self.tally.rules.items())),
            "admitted": len(self.tools),
            "used_heldout": len(self.used),
            "used_by_tools": len(self.helpers),
            "failures": sum(len(item.failures) for item in self.comparisons),
            "tasks_with_tools": self.count("tools"),
            "calls_before": self.mean("before"),
            "calls_after": self.mean("after"),
            "identical_without_any_call": self.count("idle"),
            "identical_without_the_last_call": self.count("cut"),
            "sandbox": self.sandbox,
            "learning_seconds": round(self.learning_seconds, 1),
            "seconds": round(self.seconds, 1),
        }


@dataclass(frozen=True, kw_only=True)
class Files:
    """Where to write the figures, the chart and the tools' sources; None is nowhere."""

    json: Path | None = None
    png: Path | None = None
    tools: Path | None = None


def publish(result: Result, files: Files) -> None:
    """Print the table, and write the files that were asked for."""
    print_table(f"{result.title}: recorded calls with learned tools", list(_lines(result)))
    if files.json is not None:
        rows = [_row(item) for item in result.comparisons]
        write_json(Report(name=result.name, figures=result.figures, rows=rows), files.json)
    if files.png is not None:
        bars = {"as recorded": result.mean("before"), "with learned tools": result.mean("after")}
        write_bars(files.png, f"{result.title}: {len(result.comparisons)} held-out tasks", bars, unit="calls per task")
    if files.tools is not None:
        files.tools.parent.mkdir(parents=True, exist_ok=True)
        files.tools.write_text("\n\n".join(_source(version, result) for version in result.tools), encoding="utf-8")


def _source(version: ToolVersion, result: Result) -> str:
    times = sum(name == version.name for item in result.comparisons for name in item.tools)
    return f"# {version.name}: used in {times} held-out tasks\n{version.source}"


def _lines(result: Result) -> Iterator[tuple[str, object]]:
    total, before, after = len(result.comparisons), result.mean("before"), result.mean("after")
    yield "tasks learned from", result.tasks
    yield "distinct plans", result.tally.plans
    yield "candidates", result.tally.candidates
    for gate, number in sorted(result.tally.refused.items()):
        yield f"  refused by {gate}", number
    for rule, number in sorted(result.tally.rules.items()):
        yield f"    {rule}", number
    yield "tools admitted", len(result.tools)
    yield "tools used on held-out tasks", len(result.used)
    yield "tools used by these", len(result.helpers)
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
