"""What came out: the tables with the targets beside them, the figures, and the chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.report import Report, write_json
from evals.sandbox.abuses import Abused
from evals.sandbox.chart import write_chart
from evals.sandbox.measures import SESSION, Measures
from evals.sandbox.timing import Times
from nucleate_sandbox import Json, JsonObject

OURS, MONTY, RUN, EXEC = "Nucleate, Docker", "Nucleate, Monty", "docker run", "docker exec"
WIDTH = 140
SMOLAGENTS, LLM_SANDBOX = "smolagents DockerExecutor", "llm-sandbox"


@dataclass(frozen=True, kw_only=True)
class Target:
    """One target: what it is about, what was measured, and the bound on the right side of which it must lie."""

    name: str
    measured: float
    bound: float
    at_least: bool
    unit: str = ""

    @property
    def met(self) -> bool:
        """True where the measured value is on the right side."""
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


@dataclass(frozen=True, kw_only=True)
class Result:
    """Everything that one run of the evaluation measured."""

    measures: Measures
    abused: Sequence[Abused]
    escapes: int | None = None  # hostile programs that did not end as they must; None where they were not run

    def warm(self, name: str) -> Times | None:
        """Return a system's warm calls; None where it was left out."""
        return next((times for times in self.measures.warm if times.name == name), None)

    def cold(self, name: str) -> float:
        """Return a system's median cold start in milliseconds."""
        return next(times.median for times in self.measures.cold if times.name == name)

    def ratio(self, name: str) -> float | None:
        """Return how many times slower another system's warm call is than ours."""
        times, mine = self.warm(name), self.warm(OURS)
        return times.median / mine.median if times is not None and mine is not None else None

    @property
    def orphans(self) -> int:
        """Return how many processes our sandbox left behind after an abuse."""
        return sum(row.processes for row in self.abused if row.system == OURS)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return the targets with what was measured."""
        ratios = ((RUN, 150.0), (EXEC, 30.0), (SMOLAGENTS, 20.0))
        rivals = [times.median for times in self.measures.cold if times.name != OURS]
        session, embedded = (times.median if times else 0.0 for times in (self.warm(SESSION), self.warm(MONTY)))
        memory = self.measures.container_mb[OURS]
        bad = sum(not row.next_call or row.leaked or row.seconds is None for row in self.abused if row.system == OURS)
        return (
            *(Target(name=f"warm call against {name}", measured=value, bound=bound, at_least=True, unit="times faster")
              for name, bound in ratios if (value := self.ratio(name)) is not None),
            Target(name="session run", measured=session, bound=1, at_least=False, unit="ms"),
            Target(name="Monty call", measured=embedded, bound=0.5, at_least=False, unit="ms"),
            Target(name="cold start, the fastest rival's being the bound", measured=self.cold(OURS), bound=min(rivals),
                   at_least=False, unit="ms"),
            Target(name="isolated calls a second", measured=self.measures.calls_per_second, bound=250, at_least=True),
            Target(name="warm container", measured=memory, bound=30, at_least=False, unit="MB"),
            *([Target(name="hostile programs that got through", measured=escapes, bound=0, at_least=False)]
              if (escapes := self.escapes) is not None else []),
            Target(name="processes left after abuse", measured=self.orphans, bound=0, at_least=False),
            Target(name="abuses not ended, noticed by the next call", measured=bad, bound=0, at_least=False),
        )  # fmt: skip


def publish(result: Result, *, json_file: Path | None, png_file: Path | None) -> None:
    """Print the tables; write the JSON and the chart where they are wanted."""
    console = Console(width=WIDTH)
    for table in (_times(result), _abuses(result), targets_table(result.targets)):
        console.print(table)
    if json_file is not None:
        write_json(Report(name="sandbox", figures=figures(result), rows=rows(result)), json_file)
    if png_file is not None:
        write_chart(png_file, result.measures.warm, result.measures.cold)


def figures(result: Result) -> dict[str, Json]:
    """Return the figures by the names that do not change over time; None where a peer was left out."""
    mine = result.warm(OURS)
    named = {
        "docker_run_ms": result.warm(RUN),
        "docker_exec_ms": result.warm(EXEC),
        "warm_call_ms": mine,
        "session_run_ms": result.warm(SESSION),
        "monty_call_ms": result.warm(MONTY),
        "smolagents_call_ms": result.warm(SMOLAGENTS),
        "llm_sandbox_call_ms": result.warm(LLM_SANDBOX),
    }
    values: dict[str, float | None] = {name: times.median if times else None for name, times in named.items()}
    values |= {
        "warm_call_p95_ms": mine.p95 if mine else None,
        "cold_start_ms": result.cold(OURS),
        "ratio_run": result.ratio(RUN),
        "ratio_exec": result.ratio(EXEC),
        "ratio_smolagents": result.ratio(SMOLAGENTS),
        "calls_per_second": result.measures.calls_per_second,
        "container_mb": result.measures.container_mb[OURS],
    }
    rounded: dict[str, Json] = {name: None if value is None else round(value, 3) for name, value in values.items()}
    return rounded | {"orphans": result.orphans, "escapes": result.escapes}


def rows(result: Result) -> list[JsonObject]:
    """Return one row for each system's times and for each abuse."""
    kinds = (("warm", result.measures.warm), ("cold", result.measures.cold))
    timed: list[JsonObject] = [
        {"kind": kind, "system": times.name, "median_ms": round(times.median, 3), "p95_ms": round(times.p95, 3),
         "calls": len(times.milliseconds)}
        for kind, taken in kinds for times in taken
    ]  # fmt: skip
    at_once: list[JsonObject] = [
        {
            "kind": "at once",
            "system": name,
            "ms_per_call": round(value, 3),
            "wrong": result.measures.at_once_wrong.get(name, 0),
        }
        for name, value in result.measures.at_once_ms.items()
    ]
    memory: list[JsonObject] = [
        {"kind": "memory", "system": name, "mb": round(value, 1)}
        for name, value in result.measures.container_mb.items()
    ]
    return [*timed, *at_once, *memory, *({"kind": "abuse", **row.row()} for row in result.abused)]


def _times(result: Result) -> Table:
    table = Table(title="Times, ms (median, p95 in brackets)", title_justify="left")
    for name in (
        "system",
        "cold start",
        "warm call",
        "a hundred at once, each",
        "warm container, MB",
        "slower than ours",
    ):
        table.add_column(name, justify="left" if name == "system" else "right")
    cold = {times.name: times.median for times in result.measures.cold}
    for times in result.measures.warm:
        ratio = result.ratio(times.name)
        table.add_row(
            times.name,
            _number(cold.get(times.name)),
            f"{times.median:.2f} ({times.p95:.2f})",
            _crowd(result.measures, times.name),
            _number(result.measures.container_mb.get(times.name)),
            f"{ratio:.1f} ×" if ratio is not None else "",
        )
    return table


def _abuses(result: Result) -> Table:
    table = Table(title="Abuse", title_justify="left")
    for name in ("program", "system", "answer after, s", "the caller learns", "processes left", "next call", "leak"):
        table.add_column(name)
    for row in sorted(result.abused, key=lambda row: (row.abuse, row.system)):
        table.add_row(row.abuse, row.system, _number(row.seconds) or "never", row.said, str(row.processes),
                      "right" if row.next_call else "fails", "yes" if row.leaked else "no")  # fmt: skip
    return table


def targets_table(targets: Sequence[Target]) -> Table:
    """Return a table of what was measured beside what was aimed at."""
    table = Table(title="Targets", title_justify="left")
    for name in ("what", "measured", "target", "met"):
        table.add_column(name)
    for target in targets:
        bound = f"{'≥' if target.at_least else '≤'} {target.bound:.4g} {target.unit}"
        table.add_row(target.name, f"{target.measured:.4g} {target.unit}", bound, "yes" if target.met else "NO")
    return table


def _crowd(measures: Measures, name: str) -> str:
    wrong = measures.at_once_wrong.get(name, 0)
    return _number(measures.at_once_ms.get(name)) + (f" ({wrong} wrong)" if wrong else "")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
