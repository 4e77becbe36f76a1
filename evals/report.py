"""What an evaluation found, as a table, as JSON and as a bar chart."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from nucleate_sandbox import Json, JsonObject

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, kw_only=True)
class Report:
    """The figures of one evaluation, by names that do not change over time, and its rows."""

    name: str
    figures: Mapping[str, Json]
    rows: Sequence[JsonObject] = ()


def print_table(title: str, lines: Sequence[tuple[str, object]], *, console: Console | None = None) -> None:
    """Print one table of what was measured and how much it is."""
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    for label, value in lines:
        table.add_row(label, str(value))
    (console or Console()).print(table)


def write_json(report: Report, path: Path) -> None:
    """Write the report with the commit, the time and the kind of machine that it comes from."""
    document: JsonObject = {
        "eval": report.name,
        "commit": commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "figures": dict(report.figures),
        "rows": list(report.rows),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_bars(path: Path, title: str, bars: Mapping[str, float], *, unit: str) -> None:
    """Write a PNG with one horizontal bar for each value."""
    from matplotlib.figure import Figure  # here, since it takes a second that a run without a chart need not spend

    figure = Figure(figsize=(8, 0.5 * len(bars) + 1.2), layout="constrained")
    axes = figure.add_subplot()
    drawn = axes.barh(list(bars), list(bars.values()), color="#3b6ea5")
    axes.bar_label(drawn, padding=4, fmt="%g")
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_title(title, loc="left")
    axes.set_xlabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def commit() -> str:
    """Return the commit that the work tree stands on, marked where the tree differs from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """Return the kind of machine; nothing that names it."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
