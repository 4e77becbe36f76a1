"""How well do scores tell the tools that fit a task from the others? Fits the weights and the threshold of offering.

`python -m evals.selection --demo demo.db --retail retail.db --used retail.json --data runs.jsonl [--write]`

Two databases that the demo and `python -m evals.retail --database` made, and the retail report, which says for each
held-out task which tools do it. A pair (task, tool) counts as fitting where the tool does part of the task. Of the
demo, no tool is scored by queries that are worded like the one that is asked, so that wording by heart earns nothing.
The weights are fitted on both; what is reported for each is fitted on the other.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from evals.report import Report, commit, write_json
from nucleate.demo.tasks import Task, task_stream
from nucleate.manager.fit import FILE, Fit
from nucleate.manager.index import ToolIndex
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import LocalEmbedder, Trajectory, read_trajectories
from nucleate_tool_library import ToolVersion

RECALL = 0.9  # the share of fitting tools that the threshold must let pass, of those it is fitted on
SOFT = 1e-2  # of the ridge
Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Pairs of one source: features, whether queries are known, whether the tool fits; a row of tools for each task."""

    name: str
    features: Matrix
    known: NDArray[np.bool_]
    fits: NDArray[np.bool_]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, report, and write the fit where that is wanted."""
    options = _options(arguments)
    parts = [_demo(options.demo), _retail(options.retail, options.used, options.data)]
    fit = fitted(parts)
    rows = [measured(part, fitted([other for other in parts if other is not part])) for part in parts]
    rows += [{**measured(part, fit), "fitted_on": "both"} for part in parts]
    Console(width=120).print(_table(rows))
    figures: dict[str, Json] = {"threshold": fit.threshold, "asked": [*fit.asked], "unasked": [*fit.unasked]}
    if options.json is not None:
        write_json(Report(name="selection", figures=figures, rows=rows), options.json)
    if options.write:
        kept = json.loads(FILE.read_text(encoding="utf-8"))  # the weights of writes are fitted elsewhere
        text = json.dumps({**kept, **figures, "commit": commit(), "measured": rows}, indent=2)
        FILE.write_text(f"{text}\n", encoding="utf-8")
    return 0


def fitted(parts: Sequence[Part]) -> Fit:
    """Return weights that count every source and both classes alike, and the threshold that keeps the recall."""
    features = np.concatenate([part.features.reshape(-1, 3) for part in parts])
    fits = np.concatenate([part.fits.ravel() for part in parts])
    weights = np.concatenate([_weights(part.fits.ravel()) for part in parts])
    asked = logistic(features, fits, weights)
    fit = Fit(asked=asked, unasked=logistic(features[:, :2], fits, weights), threshold=0.0)
    return replace(fit, threshold=min(threshold(part, fit) for part in parts))


def threshold(part: Part, fit: Fit) -> float:
    """Return the score that the wanted share of fitting tools reaches, rounded down."""
    good = np.sort(_scores(part, fit)[part.fits])
    return float(np.floor(good[int((1 - RECALL) * len(good))] * 100) / 100)


def logistic(features: Matrix, fits: NDArray[np.bool_], weights: Matrix) -> tuple[float, ...]:
    """Return the constant and the weights of a logistic model, by Newton's method with a ridge."""
    rows = np.concatenate([np.ones((len(features), 1)), features], axis=1)
    found, ridge = np.zeros(rows.shape[1]), SOFT * np.eye(rows.shape[1])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (chances - fits)) + ridge @ found
        found -= np.linalg.solve((rows * (weights * chances * (1 - chances))[:, None]).T @ rows + ridge, slope)
    return tuple(round(float(value), 3) for value in found)


def measured(part: Part, fit: Fit) -> JsonObject:
    """Return how a fit does on one source."""
    scores = _scores(part, fit)
    offered, with_tool = scores >= fit.threshold, part.fits.any(axis=1)
    ranks = [int(np.flatnonzero(fits[np.argsort(-row, kind="stable")])[0])
             for row, fits in zip(scores[with_tool], part.fits[with_tool], strict=True)]  # fmt: skip
    nothing = [not row.any() for row in offered[~with_tool]]
    return {
        "on": part.name,
        "fitted_on": "the other",
        "hit_at_1": _share(sum(rank < 1 for rank in ranks), len(ranks)),
        "hit_at_5": _share(sum(rank < 5 for rank in ranks), len(ranks)),
        "threshold": fit.threshold,
        "fitting_offered": _share(int((offered & part.fits).sum()), int(part.fits.sum())),
        "others_offered": _share(int((offered & ~part.fits).sum()), int((~part.fits).sum())),
        "offered_of": [round(float(offered.sum(axis=1).mean()), 1), part.fits.shape[1]],
        "nothing_where_nothing_fits": _share(sum(nothing), len(nothing)),
    }


def _scores(part: Part, fit: Fit) -> Matrix:
    return fit.scores(part.features.reshape(-1, 3), part.known.ravel()).reshape(part.fits.shape)


def _weights(fits: NDArray[np.bool_]) -> Matrix:
    weights: Matrix = np.where(fits, 500 / max(1, fits.sum()), 500 / max(1, (~fits).sum()))
    return weights


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _demo(database: Path) -> Part:
    tools = _tools(database)
    families = {task.query: task.family for task in task_stream()}
    made_from = {
        tool.name: families[str(run["query"])] for tool in tools for run in _runs(tool) if run["query"] in families
    }
    tasks = list(task_stream())
    fits = [[made_from.get(tool.name) is task.family for tool in tools] for task in tasks]
    return _part("demo", [(task.query, [_unlike(tool, task) for tool in tools]) for task in tasks], fits)


def _unlike(tool: ToolVersion, task: Task) -> ToolVersion:
    """Return a tool without the runs whose query is worded like the task's."""
    worded = [_wording(phrasing) for phrasing in task.family.phrasings]
    mine = [pattern for pattern in worded if pattern.fullmatch(task.query)]
    kept = [run for run in _runs(tool) if not any(pattern.fullmatch(str(run["query"])) for pattern in mine)]
    return replace(tool, source=f"{tool.source}\n# {task.id}", evidence={"seen": [*kept]})


def _wording(phrasing: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", ".*", re.escape(phrasing)))


def _retail(database: Path, used: Path, data: Path) -> Part:
    tools = _tools(database)
    rows = json.loads(used.read_text(encoding="utf-8"))["rows"]
    doing = {row["task"]: set(row["tools"]) for row in rows}
    with data.open(encoding="utf-8") as lines:
        runs = [item for item in read_trajectories(lines, environment="retail") if isinstance(item, Trajectory)]
    held_out = [run for run in runs if run.task_id in doing]
    fits = [[tool.name in doing[run.task_id] for tool in tools] for run in held_out]
    return _part("retail", [(run.query, tools) for run in held_out], fits)


def _part(name: str, asked: Sequence[tuple[str, Sequence[ToolVersion]]], fits: Sequence[Sequence[bool]]) -> Part:
    index = ToolIndex(LocalEmbedder())
    found = [index.shelf(tools).features(query) for query, tools in asked]
    return Part(
        name=name,
        features=np.stack([features for features, _ in found]),
        known=np.stack([known for _, known in found]),
        fits=np.array(fits),
    )


def _tools(database: Path) -> list[ToolVersion]:
    with Runtime(settings=Settings(database=str(database), sandbox="monty", worker="off")) as runtime:
        return [tool.version for tool in runtime.library.tools()]


def _runs(tool: ToolVersion) -> list[JsonObject]:
    parts = (tool.evidence.get(name) for name in ("seen", "held_out"))
    return [run for part in parts if isinstance(part, list) for run in part if isinstance(run, dict)]


def _table(rows: Sequence[JsonObject]) -> Table:
    table = Table(title="Which tools are offered", title_justify="left")
    for name in rows[0]:
        table.add_column(name.replace("_", " "))
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    return table


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.selection", description=__doc__.partition("\n")[0])
    path: Callable[[str], Path] = Path
    parser.add_argument("--demo", type=path, required=True, help="the database of `nucleate demo`")
    parser.add_argument("--retail", type=path, required=True, help="the database of `python -m evals.retail`")
    parser.add_argument("--used", type=path, required=True, help="the report of that run")
    parser.add_argument("--data", type=path, required=True, help="the recorded runs, JSON Lines")
    parser.add_argument("--json", type=path, help="write the figures and rows to this file")
    parser.add_argument("--write", action="store_true", help="write the fit into the package")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
