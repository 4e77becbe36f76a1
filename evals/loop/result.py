"""What came out: the modes side by side, what the runtime costs, the targets, the file and the chart."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.loop.modes import Done, Mode
from evals.loop.speed import Speed
from evals.report import Report, print_table, write_json
from evals.sandbox.result import Target, targets_table
from nucleate_sandbox import Json, JsonObject

COLOURS = {"success": "#3b6ea5", "steps": "#7aa37a", "tokens": "#b0855b"}


@dataclass(frozen=True, kw_only=True)
class Killed:
    """What a worker that was killed again and again did to its jobs."""

    lost: int
    doubled: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """Everything that one run of the evaluation measured; None where a part was left out."""

    modes: Sequence[Mode]
    sandbox: str
    speed: Speed | None = None
    killed: Killed | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return the targets with what was measured."""
        speed, killed = self.speed, self.killed
        found: list[tuple[str, float | None, float, str]] = [
            ("a step beside the model", speed.overhead_ms if speed else None, 10.0, "ms"),
            ("latency with learning over without", speed.ratio if speed else None, 1.05, ""),
            ("jobs lost by kills", killed.lost if killed else None, 0.0, ""),
            ("jobs done twice after kills", killed.doubled if killed else None, 0.0, ""),
        ]
        return tuple(
            Target(name=name, measured=value, bound=bound, at_least=False, unit=unit)
            for name, value, bound, unit in found
            if value is not None
        )


def publish(result: Result, *, json_file: Path | None, png_file: Path | None) -> None:
    """Print the tables; write the JSON and the chart where they are wanted."""
    console = Console(width=120)
    console.print(_modes(result))
    if result.speed is not None:
        print_table("What the runtime costs", _speed(result.speed), console=console)
    console.print(targets_table(result.targets))
    if json_file is not None:
        rows = [_row(done) for mode in result.modes for done in mode.done]
        write_json(Report(name="loop", figures=figures(result), rows=rows), json_file)
    if png_file is not None:
        write_chart(png_file, result.modes)


def figures(result: Result) -> dict[str, Json]:
    """Return the figures by the names that do not change over time; None where a part was left out."""
    found: dict[str, Json] = {
        mode.name: {
            "success": round(mode.success, 4),
            "steps": round(mode.steps, 2),
            "tokens": round(mode.tokens),
            "tools": mode.tools,
            "tools_used": mode.used,
        }
        for mode in result.modes
    }
    speed, killed = result.speed, result.killed
    return found | {
        "tasks": len(result.modes[0].done) if result.modes else 0,
        "overhead_ms": round(speed.overhead_ms, 2) if speed else None,
        "overhead_processor_ms": round(statistics.median(speed.worked_ms), 2) if speed else None,
        "latency_ratio": round(speed.ratio, 3) if speed else None,
        "jobs_lost": killed.lost if killed else None,
        "jobs_doubled": killed.doubled if killed else None,
        "sandbox": result.sandbox,
    }


def write_chart(path: Path, modes: Sequence[Mode]) -> None:
    """Write a PNG with one panel each for success, steps and tokens, a bar for each mode."""
    from matplotlib.figure import Figure  # here, since it takes a second that a run without a chart need not spend

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    values = {
        "success": [100 * mode.success for mode in modes],
        "steps": [mode.steps for mode in modes],
        "tokens": [mode.tokens for mode in modes],
    }
    titles = {"success": "tasks solved, percent", "steps": "steps of a task", "tokens": "tokens of a task"}
    for axes, (name, numbers) in zip(panels, values.items(), strict=True):
        bars = axes.barh([mode.name for mode in modes], numbers, color=COLOURS[name])
        axes.bar_label(bars, padding=4, fmt="%.0f" if name != "steps" else "%.1f")
        axes.margins(x=0.2)
        axes.set_title(titles[name], loc="left")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _modes(result: Result) -> Table:
    table = Table(title="Thirty tasks in each mode", title_justify="left")
    for name in ("mode", "solved", "steps", "tokens", "tools", "used"):
        table.add_column(name, justify="left" if name == "mode" else "right")
    for mode in result.modes:
        row = (f"{mode.success:.0%}", f"{mode.steps:.2f}", f"{mode.tokens:,.0f}", str(mode.tools), str(mode.used))
        table.add_row(mode.name, *row)
    return table


def _speed(speed: Speed) -> list[tuple[str, object]]:
    return [
        ("steps timed", len(speed.steps_ms)),
        ("a step beside the model, ms (median)", f"{speed.overhead_ms:.1f}"),
        ("of that with a processor, ms (median)", f"{statistics.median(speed.worked_ms):.1f}"),
        ("tasks timed, with learning and without", f"{len(speed.on)} each"),
        ("latency with learning over without (median)", f"{speed.ratio:.3f}"),
    ]


def _row(done: Done) -> JsonObject:
    result = done.result
    return {
        "mode": done.mode,
        "task": done.task.id,
        "family": done.task.family.name,
        "solved": done.solved,
        "ending": result.ending.value,
        "steps": result.spent.steps,
        "tokens": result.spent.tokens,
        "calls": result.calls,
        "tools": [*result.tools],
    }
