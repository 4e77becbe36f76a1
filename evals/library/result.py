"""What the parts found together: the tables, the targets, the file and the chart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from evals.library.part import Measured
from evals.report import Report, print_table, write_bars, write_json
from evals.sandbox.result import targets_table
from nucleate_sandbox import Json


def publish(found: Mapping[str, Measured], *, json_file: Path | None, png_file: Path | None) -> bool:
    """Print the tables and write the files that are wanted; return whether every target was met."""
    console = Console(width=120)
    for measured in found.values():
        print_table(measured.title, measured.lines, console=console)
    targets = [target for measured in found.values() for target in measured.targets]
    console.print(targets_table(targets))
    if json_file is not None:
        write_json(report(found), json_file)
    if png_file is not None:
        bars = {label: value for measured in found.values() for label, value in measured.bars.items()}
        write_bars(png_file, "The tool library: medians", bars, unit="milliseconds")
    return all(target.met for target in targets)


def report(found: Mapping[str, Measured]) -> Report:
    """Return the figures of all parts, and their rows, each with the part that it comes from."""
    figures: dict[str, Json] = {name: value for part in found.values() for name, value in part.figures.items()}
    rows = [{"part": name, **row} for name, measured in found.items() for row in measured.rows]
    return Report(name="library", figures=figures, rows=rows)
