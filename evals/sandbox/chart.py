"""The chart: how long a call takes on each system, warm and cold, on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.sandbox.timing import Times

MINE, OTHERS, AXIS = "#3b6ea5", "#b0b7bf", "milliseconds (logarithmic)"


def write_chart(path: Path, warm: Sequence[Times], cold: Sequence[Times]) -> None:
    """Write a PNG with two panels: warm calls (line: to the 95th percentile) and cold starts, each median labelled."""
    from matplotlib.figure import Figure  # here, since it takes a second that a run without a chart need not spend

    figure = Figure(figsize=(9, 5.5), layout="constrained")
    panels = figure.subplots(2, 1, height_ratios=[len(warm), len(cold)])
    for axes, times, title in zip(
        panels, (warm, cold), ("A warm call", "From nothing to the first answer"), strict=True
    ):
        ordered = sorted(times, key=lambda item: item.median)
        medians = [item.median for item in ordered]
        reach = [max(0.0, item.p95 - item.median) for item in ordered]
        colours = [MINE if item.name.startswith("Nucleate") else OTHERS for item in ordered]
        bars = axes.barh([item.name for item in ordered], medians, color=colours, xerr=[[0.0] * len(reach), reach],
                         error_kw={"ecolor": "#555555", "elinewidth": 1})  # fmt: skip
        axes.bar_label(bars, labels=[_words(value) for value in medians], padding=22)
        axes.set_xscale("log")
        axes.margins(x=0.2)
        axes.invert_yaxis()
        axes.set_title(title, loc="left")
        axes.set_xlabel(AXIS)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _words(milliseconds: float) -> str:
    return f"{milliseconds:,.0f} ms" if milliseconds >= 100 else f"{milliseconds:.3g} ms"
