"""Whether search finds the right tool among many: recall@5 of what agents look for, and how long a search takes."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace

from evals.library.part import Measured
from evals.library.tools import Task, library, tasks
from evals.sandbox.result import Target
from nucleate.mcp.finding import index_of
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import LocalEmbedder
from nucleate_tool_library import ToolVersion

SIZES = (100, 1_000, 10_000)
SHOWN = 5


def options(parser: argparse.ArgumentParser) -> None:
    """Add the option of this part."""
    parser.add_argument("--tools", type=int, nargs="+", default=SIZES, help="how many tools to search among")


def measure(chosen: argparse.Namespace) -> Measured:
    """Search libraries of several sizes for every task whose tool is in them."""
    rows = [_row(size) for size in chosen.tools]
    found = {int(str(row["tools"])): row for row in rows}
    at_1000 = found.get(1_000, {}).get("recall_at_5")
    figures: dict[str, Json] = {"search_recall_at_5_1000": at_1000}
    targets = [
        Target(name="recall@5 of search, 1,000 tools", measured=at_1000, bound=0.95, at_least=True)
        for _ in [0] if isinstance(at_1000, float)
    ]  # fmt: skip
    return Measured(
        title="Search for a tool",
        lines=[(f"{row['tools']} tools: recall@5, ms", f"{row['recall_at_5']} {row['ms']}") for row in rows],
        figures=figures,
        rows=rows,
        targets=targets,
        bars={f"search, {row['tools']} tools": float(str(row["ms"])) for row in rows},
    )


def _row(size: int) -> JsonObject:
    """Measure one size: with what tools were made from in the index, and with signatures and docstrings alone."""
    tools = library(size)
    bare = [replace(tool, evidence={}) for tool in tools]
    asked = [task for task in tasks() if task.tool in {tool.name for tool in tools}]
    recall, ms = _searched(tools, asked)
    return {
        "tools": len(tools),
        "queries": len(asked),
        "recall_at_5": recall,
        "recall_at_5_without_queries": _searched(bare, asked)[0],
        "ms": ms,
    }


def _searched(tools: Sequence[ToolVersion], asked: Sequence[Task]) -> tuple[float, float]:
    """Return the share of tasks whose tool is among the first five, and the median milliseconds."""
    index, found, times = index_of({tool.name: tool for tool in tools}, LocalEmbedder()), 0, list[float]()
    for task in asked:
        began = time.perf_counter()
        names = [name for name, _ in index.rank(task.sought)[:SHOWN]]
        times.append((time.perf_counter() - began) * 1000)
        found += task.tool in names
    return round(found / len(asked), 4), round(statistics.median(times), 3)
