"""What came out: tables for people, figures by fixed names, and curves over budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.report import Report, write_json
from evals.retrieval.locomo import CATEGORIES, TUNED
from evals.retrieval.measures import BUDGETS, Found, Shares, shares
from evals.retrieval.speed import Speed
from evals.retrieval.systems import DEFAULT
from nucleate_sandbox import Json, JsonObject

PUBLISHED = {"evolved": (0.8013, 0.7058, 0.6218), "fixed": (0.6699, 0.5720, 0.5064)}
TARGETS = {1_000: (0.88, 0.71, 0.75), 1_900: (0.93, 0.79, 0.82)}
_WIDTH = 120
_NAMES = ("hit", "recall", "full")


@dataclass(frozen=True, kw_only=True)
class Result:
    """What each system found at each budget, and the speed among so many entries."""

    found: Mapping[str, Mapping[int, Sequence[Found]]]
    speed: Sequence[Speed]

    def shares(self, system: str, budget: int, *, part: str = "all") -> Shares:
        """Return the shares over the questions of all, the tuned or the held-out conversations."""
        return shares([each for each in self.found[system][budget] if part in ("all", _part(each))])

    @property
    def met(self) -> bool:
        """Return whether the default program reaches every target on all conversations."""
        return all(
            measured >= bound
            for budget, bounds in TARGETS.items()
            for measured, bound in zip(_three(self.shares(DEFAULT, budget)), bounds, strict=True)
        )


def publish(result: Result, *, json_file: Path | None, png_file: Path | None) -> None:
    """Print the tables; write the JSON and the chart where they are wanted."""
    console = Console(width=_WIDTH)
    for table in (_systems(result), _parts(result), _categories(result), *([_speeds(result)] if result.speed else [])):
        console.print(table)
    if json_file is not None:
        write_json(Report(name="retrieval", figures=figures(result), rows=rows(result)), json_file)
    if png_file is not None:
        from evals.retrieval.chart import write_curves  # here, since drawing takes a second

        write_curves(png_file, {name: [result.shares(name, budget) for budget in BUDGETS] for name in result.found})


def figures(result: Result) -> dict[str, Json]:
    """Return the default program's figures by the names that do not change over time."""
    found: dict[str, Json] = {}
    for part, suffix in (("all", ""), ("held_out", "_heldout")):
        for budget in BUDGETS:
            three = _three(result.shares(DEFAULT, budget, part=part))
            found[f"b{budget}{suffix}"] = {name: round(v, 4) for name, v in zip(_NAMES, three, strict=True)}
    largest = next((speed for speed in result.speed if speed.entries == 1_000_000), None)
    found["search_p95_ms_1e6"] = round(largest.p95_ms, 1) if largest else None
    found["recall_vs_exact_1e6"] = round(largest.recall_vs_exact, 4) if largest else None
    return found


def rows(result: Result) -> list[JsonObject]:
    """Return one row per system, budget and part of the conversations, and one per size."""
    measured: list[JsonObject] = [
        {"system": name, "budget": budget, "part": part, **_rounded(asdict(result.shares(name, budget, part=part)))}
        for name, budgets in result.found.items()
        for budget in budgets
        for part in ("all", "held_out", "tuned")
    ]
    return measured + [_rounded(asdict(speed)) for speed in result.speed]


def _part(found: Found) -> str:
    return "tuned" if found.conversation in TUNED else "held_out"


def _three(found: Shares) -> tuple[float, float, float]:
    return found.hit, found.recall, found.full


def _words(found: Shares) -> str:
    return " / ".join(f"{100 * value:.1f}" for value in _three(found))


def _rounded(values: Mapping[str, float]) -> JsonObject:
    return {name: round(value, 4) for name, value in values.items()}


def _table(title: str, first: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _systems(result: Result) -> Table:
    title = "All conversations: hit rate / pooled recall / full rate (%), by tokens of evidence"
    table = _table(title, "system", [f"{budget:,}" for budget in BUDGETS])
    for name in result.found:
        table.add_row(name, *(_words(result.shares(name, budget)) for budget in BUDGETS))
    for name, three in PUBLISHED.items():
        said = " / ".join(f"{100 * value:.1f}" for value in three)
        table.add_row(f"ERSkill, {name} (published; about 1,900)", "", "", said, "")
    return table


def _parts(result: Result) -> Table:
    title = "The default program: fitted conversations and others (95 % interval of the hit rate by conversation)"
    table = _table(title, "conversations", [f"{budget:,}" for budget in BUDGETS])
    for part in ("tuned", "held_out", "all"):
        found = [result.shares(DEFAULT, budget, part=part) for budget in BUDGETS]
        table.add_row(f"{part} ({found[0].questions})", *(_words(each) for each in found))
        table.add_row("  hit rate", *(f"{100 * each.low:.1f}–{100 * each.high:.1f}" for each in found))
        table.add_row("  mean recall", *(f"{100 * each.mean_recall:.1f}" for each in found))
    return table


def _categories(result: Result) -> Table:
    table = _table("The default program by category", "category", [f"{budget:,}" for budget in BUDGETS])
    for number, name in CATEGORIES.items():
        some = {b: [f for f in result.found[DEFAULT][b] if f.category == number] for b in BUDGETS}
        if some[BUDGETS[0]]:
            table.add_row(f"{name} ({len(some[BUDGETS[0]])})", *(_words(shares(found)) for found in some.values()))
    return table


def _speeds(result: Result) -> Table:
    columns = ("build s", "indexes MB", "vectors MB", "hybrid ms", "default ms", "recall@10 of exact")
    table = _table("Synthetic entries: median (p95 in brackets)", "entries", columns)
    for each in result.speed:
        table.add_row(f"{each.entries:,}", f"{each.build_seconds:.1f}", f"{each.index_mb:.1f}",
                      f"{each.vectors_mb:.1f}",
                      f"{each.median_ms:.1f} ({each.p95_ms:.1f})",
                      f"{each.default_median_ms:.1f} ({each.default_p95_ms:.1f})",
                      f"{each.recall_vs_exact:.3f}")  # fmt: skip
    return table
