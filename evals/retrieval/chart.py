"""The chart: hit rate, recall and full rate of every system over budgets of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from evals.retrieval.measures import BUDGETS, Shares
from evals.retrieval.systems import DEFAULT

MINE, OTHERS = "#3b6ea5", ("#b0b7bf", "#8d99a5", "#d3d8dd", "#5f6b77")


def write_curves(path: Path, found: Mapping[str, Sequence[Shares]]) -> None:
    """Write a PNG with one panel per measure."""
    figure = Figure(figsize=(12, 4.2), layout="constrained")
    for axes, measure in zip(figure.subplots(1, 3, sharey=True), ("hit", "recall", "full"), strict=True):
        colours = iter(OTHERS)
        for name, shares in found.items():
            own = name == DEFAULT
            values = [100 * getattr(each, measure) for each in shares]
            axes.plot(
                BUDGETS, values, marker="o", color=MINE if own else next(colours), lw=2.5 if own else 1.5, label=name
            )
        axes.set_xscale("log")
        axes.set_xticks(BUDGETS, [f"{budget:,}" for budget in BUDGETS])
        axes.minorticks_off()
        axes.set_title({"hit": "Hit rate", "recall": "Recall, pooled", "full": "Full rate"}[measure], loc="left")
        axes.set_xlabel("tokens of evidence")
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.12))
    figure.axes[0].set_ylabel("% of questions (recall: of evidence turns)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
