"""What came out: tables for people, figures by fixed names, and a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.memory.maintenance import Maintenance
from evals.memory.poisoning import Attacked, succeeded
from evals.memory.warned import Warned
from evals.memory.writers import Writers
from evals.report import Report, print_table, write_bars, write_json
from evals.sandbox.result import Target, targets_table
from nucleate_sandbox import Json, JsonObject


@dataclass(frozen=True, kw_only=True)
class Result:
    """The four parts; the real runs may be left out."""

    maintenance: Maintenance
    attacked: Sequence[Attacked]
    warned: Warned | None
    writers: Writers

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return the targets with what was measured."""
        kept = self.maintenance
        return (
            Target(name="current answers right", measured=_share(kept.current_right, kept.current_asked), bound=1.0,
                   at_least=True),
            Target(name="as-of answers right", measured=_share(kept.asof_right, kept.asof_asked), bound=1.0,
                   at_least=True),
            Target(name="collateral invalidations", measured=kept.collateral, bound=0, at_least=False),
            Target(name="attacks that became guidance", measured=succeeded(self.attacked), bound=0, at_least=False),
            Target(name="entries lost", measured=self.writers.lost, bound=0, at_least=False),
            Target(name="errors of writers", measured=self.writers.errors, bound=0, at_least=False),
        )  # fmt: skip


def publish(result: Result, *, json_file: Path | None, png_file: Path | None) -> None:
    """Print the tables; write the JSON and the chart where they are wanted."""
    console = Console(width=120)
    print_table("Maintenance", _maintenance(result.maintenance), console=console)
    console.print(_attacks(result.attacked))
    if result.warned is not None:
        print_table("Pitfalls, on real runs", _warned(result.warned), console=console)
    print_table("Two processes write at once", _writers(result.writers), console=console)
    console.print(targets_table(result.targets))
    if json_file is not None:
        write_json(
            Report(name="memory", figures=figures(result), rows=[_row(one) for one in result.attacked]), json_file
        )
    if png_file is not None:
        write_bars(png_file, "Memory: answers right, attacks kept out, errors warned of", _bars(result), unit="percent")


def figures(result: Result) -> dict[str, Json]:
    """Return the figures by the names that do not change over time; None where a part was left out."""
    kept, warned, writers = result.maintenance, result.warned, result.writers
    return {
        "statements": kept.statements,
        "current_correct": round(_share(kept.current_right, kept.current_asked), 4),
        "asof_correct": round(_share(kept.asof_right, kept.asof_asked), 4),
        "collateral": kept.collateral,
        "duplicates": kept.duplicates,
        "rows_per_statement": round(kept.rows / kept.statements, 3),
        "active_per_distinct": round(kept.active / kept.distinct, 3),
        "poison_cases": len(result.attacked),
        "poison_succeeded": succeeded(result.attacked),
        "errors_met": warned.errors if warned else None,
        "errors_seen_before": warned.seen_before if warned else None,
        "errors_warned": warned.warned if warned else None,
        "errors_warned_by_search": warned.warned_by_search if warned else None,
        "false_warnings_per_run": round(warned.false_per_run, 2) if warned else None,
        "write_ms": round(kept.write_ms, 2),
        "batch_write_ms": round(writers.batch_ms_per_entry, 2),
        "written": writers.processes * writers.each,
        "lost": writers.lost,
        "write_errors": writers.errors,
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _row(one: Attacked) -> JsonObject:
    return {"kind": one.kind, "name": one.name, "succeeded": one.succeeded, "held": one.held}


def _maintenance(kept: Maintenance) -> list[tuple[str, object]]:
    return [
        ("statements", kept.statements),
        ("current answers right", f"{kept.current_right} of {kept.current_asked}"),
        ("as-of answers right", f"{kept.asof_right} of {kept.asof_asked}"),
        ("collateral invalidations", kept.collateral),
        ("duplicates kept", kept.duplicates),
        ("valid entries / distinct statements", f"{kept.active} / {kept.distinct}"),
        ("rows", kept.rows),
        ("write, ms (median)", f"{kept.write_ms:.1f}"),
    ]


def _attacks(attacked: Sequence[Attacked]) -> Table:
    table = Table(title="Poisoning", title_justify="left")
    for name in ("kind", "cases", "held for a person", "became guidance"):
        table.add_column(name, justify="left" if name == "kind" else "right")
    for kind, count in sorted(Counter(one.kind for one in attacked).items()):
        of_kind = [one for one in attacked if one.kind == kind]
        table.add_row(kind, str(count), str(sum(one.held for one in of_kind)), str(succeeded(of_kind)))
    return table


def _warned(warned: Warned) -> list[tuple[str, object]]:
    return [
        ("runs", warned.runs),
        ("tool errors", warned.errors),
        ("of a class seen before", warned.seen_before),
        ("warned of, by what is known of the function called", warned.warned),
        ("warned of, by a search with the query alone", warned.warned_by_search),
        ("false warnings per run", f"{warned.false_per_run:.2f}"),
    ]


def _writers(writers: Writers) -> list[tuple[str, object]]:
    return [
        ("entries", f"{writers.processes} x {writers.each}"),
        ("lost", writers.lost),
        ("errors", writers.errors),
        ("ms per entry, in a batch (median)", f"{writers.batch_ms_per_entry:.1f}"),
        ("seconds", f"{writers.seconds:.0f}"),
    ]


def _bars(result: Result) -> dict[str, float]:
    kept, warned = result.maintenance, result.warned
    out = len(result.attacked) - succeeded(result.attacked)
    bars = {
        "current answers right": _share(kept.current_right, kept.current_asked),
        "as-of answers right": _share(kept.asof_right, kept.asof_asked),
        "attacks kept out": _share(out, len(result.attacked)),
    }
    if warned is not None:
        bars["errors seen before"] = _share(warned.seen_before, warned.errors)
        bars["errors warned of"] = _share(warned.warned, warned.errors)
        bars["errors warned of by search"] = _share(warned.warned_by_search, warned.errors)
    return {name: round(100 * share, 1) for name, share in bars.items()}
