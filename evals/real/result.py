"""The table, the file and the chart of what was measured in every environment and in all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.real.shelf import entity_literals
from evals.report import Report, write_bars, write_json
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import ToolVersion

SHOWN = (
    *("harm", "entity_literals", "headroom", "covered_writes", "usable_reads", "offer_recall", "false_offers"),
    *("tools_active", "duplicates", "tools_per_family", "warned", "false_warnings", "shape_recall", "shape_precision"),
    *("calls_before", "calls_after", "calls_floor", "steps_none", "steps_full"),
    *("observation_tokens_none", "observation_tokens_full"),
)
SUMMED = ("harm", "entity_literals", "tools_active", "duplicates")


def publish(rows: Sequence[JsonObject], *, json: Path | None, png: Path | None) -> None:
    """Print the table, and write the files that were asked for."""
    whole = in_all(rows)
    Console(width=200).print(_table([*rows, whole]))
    if json is not None:
        figures: dict[str, Json] = {str(row["environment"]): dict(row) for row in rows}
        write_json(Report(name="real", figures={**figures, "all": whole}, rows=[]), json)
    if png is not None:
        bars = {
            f"{row['environment']} {name}": value
            for row in rows
            for name in ("calls_before", "calls_after")
            if isinstance(value := row.get(name), int | float)
        }
        write_bars(png, "Runs of real models, held out: calls a task", bars, unit="calls")


def in_all(rows: Sequence[JsonObject]) -> JsonObject:
    """Return sums of counts, and means over the environments that have a figure."""
    found: JsonObject = {"environment": "all"}
    for name in SHOWN:
        values = [value for row in rows if isinstance(value := row.get(name), int | float)]
        if values:
            found[name] = sum(values) if name in SUMMED else round(sum(values) / len(values), 3)
    return found


def write_tools(
    folder: Path | None, scope: str, tools: Sequence[ToolVersion], *, entities: frozenset[str] = frozenset()
) -> None:
    """Write every tool's source into a file of the scope, to be read as a reviewer would."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    texts = [f"# {tool.name}: entities {entity_literals(tool, entities)}\n{tool.source}" for tool in tools]
    (folder / f"{scope}.py").write_text("\n\n".join(texts), encoding="utf-8")


def _table(rows: Sequence[JsonObject]) -> Table:
    table = Table(title="What real runs taught, on tasks that nothing was learned from", title_justify="left")
    table.add_column("figure")
    for row in rows:
        table.add_column(str(row["environment"]), justify="right")
    for name in SHOWN:
        table.add_row(name, *("–" if row.get(name) is None else f"{row[name]:g}" for row in rows))
    return table
