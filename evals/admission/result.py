"""What came out: tables for people, figures by fixed names, and a chart of what each gate caught first."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.admission.accuracy import Accuracy
from evals.admission.forgery import KINDS, Forgeries
from evals.admission.judging import Judged
from evals.admission.kinds import right_reason, wilson
from evals.admission.speed import Speed
from evals.report import Report, write_bars, write_json
from evals.sandbox.result import Target, targets_table
from nucleate_sandbox import Json, JsonObject

WIDTH = 140


@dataclass(frozen=True, kw_only=True)
class Result:
    """Both halves of the corpus, how long judging them took in all, and the timed verdicts."""

    halves: Sequence[Accuracy]
    judging_seconds: float
    speed: Speed | None
    forgery: Forgeries | None = None

    @property
    def judged(self) -> list[Judged]:
        """Return every judged candidate."""
        return [item for half in self.halves for item in half.judged]

    @property
    def targets(self) -> tuple[Target, ...]:
        """Return the targets with what was measured."""
        unsafe = sum(len(half.unsafe_admitted) for half in self.halves)
        found = [Target(name="unsafe candidates admitted", measured=unsafe, bound=0, at_least=False)]
        for half in self.halves:
            refused = 1 - _share(half.falsely_admitted, half.bad)
            found += [
                Target(name=f"{half.half}: defects refused", measured=refused, bound=0.95, at_least=True),
                Target(name=f"{half.half}: good tools refused", measured=_share(half.falsely_refused, half.good),
                       bound=0.03, at_least=False),
            ]  # fmt: skip
        if self.forgery is not None:
            found += [
                Target(name="forgeries admitted", measured=len(self.forgery.admitted), bound=0, at_least=False),
                Target(name="forgeries not judged", measured=self.forgery.left_out, bound=0, at_least=False),
            ]
        if self.speed is not None:
            found.append(Target(name="warm verdict against the naive way", measured=self.speed.ratio, bound=8,
                                at_least=True, unit="times faster"))  # fmt: skip
        return tuple(found)


def _share(part: Sequence[Judged], whole: Sequence[Judged]) -> float:
    return len(part) / len(whole) if whole else 0.0


def publish(result: Result, *, json_file: Path | None, png_file: Path | None, verbose: bool) -> None:
    """Print the tables; write the JSON and the chart where they are wanted."""
    console = Console(width=WIDTH)
    for table in (_accuracy(result), _kinds(result), _gates(result), _wrong(result, verbose), _times(result)):
        console.print(table)
    if result.forgery is not None:
        console.print(_forgeries(result.forgery))
    console.print(targets_table(result.targets))
    if json_file is not None:
        write_json(
            Report(name="admission", figures=figures(result), rows=[row(item) for item in result.judged]), json_file
        )
    if png_file is not None:
        bars = {gate: float(count) for gate, count in _caught(result).most_common()}
        write_bars(png_file, "Defects, by the gate that refused them first", bars, unit="candidates")


def figures(result: Result) -> dict[str, Json]:
    """Return the figures by the names that do not change over time; None where a part was left out."""
    found: dict[str, Json] = {}
    for half in result.halves:
        suffix = {"tuned": "", "held_out": "_heldout"}.get(half.half, f"_{half.half}")
        found |= {
            f"good{suffix}": len(half.good),
            f"good_refused{suffix}": len(half.falsely_refused),
            f"bad{suffix}": len(half.bad),
            f"bad_refused{suffix}": len(half.bad) - len(half.falsely_admitted),
            f"bad_right_reason{suffix}": sum(map(right_reason, half.bad)),
        }
    found["unsafe_admitted"] = sum(len(half.unsafe_admitted) for half in result.halves)
    times = [item.milliseconds for item in result.judged]
    found["full_verdict_ms"] = round(statistics.median(times), 1) if times else None
    found["seconds_per_100"] = round(100 * result.judging_seconds / len(times), 1) if times else None
    forged = result.forgery
    found["forgeries"] = len(forged.judged) if forged else None
    found["forgeries_admitted"] = len(forged.admitted) if forged else None
    timed = result.speed
    found |= {
        "verdict_cold_ms": round(timed.cold.median, 1) if timed else None,
        "verdict_warm_ms": round(timed.warm.median, 1) if timed else None,
        "verdict_warm_p95_ms": round(timed.warm.p95, 1) if timed else None,
        "naive_ms": round(timed.naive.median, 1) if timed else None,
        "ratio_naive": round(timed.ratio, 2) if timed else None,
    }
    return found


def row(item: Judged) -> JsonObject:
    """Return one candidate with its verdict, as results in a file hold it."""
    return {
        "candidate": item.labelled.label,
        "defect": item.labelled.defect,
        "unsafe": item.labelled.unsafe,
        "decision": item.verdict.decision.value,
        "kind": item.labelled.kind,
        "operator": item.labelled.operator,
        "caught_by": item.caught_by,
        "rules": [*dict.fromkeys(finding.rule for finding in item.verdict.findings)],
        "right_reason": bool(item.labelled.defect) and right_reason(item),
        "ms": round(item.milliseconds, 1),
    }


def _accuracy(result: Result) -> Table:
    table = Table(title="The labelled corpus", title_justify="left")
    for name in ("half", "good", "falsely refused", "with a defect", "refused", "unsafe admitted"):
        table.add_column(name, justify="left" if name == "half" else "right")
    for half in result.halves:
        table.add_row(half.half, str(len(half.good)), str(len(half.falsely_refused)), str(len(half.bad)),
                      str(len(half.bad) - len(half.falsely_admitted)), str(len(half.unsafe_admitted)))  # fmt: skip
    return table


def _kinds(result: Result) -> Table:
    """Show for each kind how many came out right, with the 95 % interval of the share."""
    table = Table(
        title="By kind: good ones admitted, wrong ones refused for what is wrong (95 % interval)", title_justify="left"
    )
    for name in ("half", "kind", "tools", "right", "interval", "else"):
        table.add_column(name, justify="left" if name in {"half", "kind"} else "right")
    for half in result.halves:
        for bad, items in ((False, half.good), (True, half.bad)):
            groups: dict[str, list[Judged]] = {"": [*items]}
            for item in items:
                groups.setdefault(item.labelled.kind or ("wrong" if bad else "plain"), []).append(item)
            for kind, members in groups.items():
                right = sum(right_reason(item) if bad else item.admitted for item in members)
                wrong = sum(item.admitted == bad for item in members)
                low, high = wilson(right, len(members))
                name = kind or ("all wrong ones" if bad else "all good ones")
                table.add_row(half.half, name, str(len(members)), str(right), f"{low:.0%}–{high:.0%}",
                              f"{wrong} {'admitted' if bad else 'refused'}")  # fmt: skip
    return table


def _caught(result: Result) -> Counter[str]:
    return sum((Counter(half.caught_first) for half in result.halves), Counter())


def _gates(result: Result) -> Table:
    table = Table(title="Defects, by the gate that refused them first", title_justify="left")
    table.add_column("gate")
    table.add_column("candidates", justify="right")
    for gate, count in _caught(result).most_common():
        table.add_row(gate, str(count))
    return table


def _wrong(result: Result, verbose: bool) -> Table:
    table = Table(title="Wrong verdicts", title_justify="left")
    for name in ("half", "candidate", "verdict", "why"):
        table.add_column(name)
    for half in result.halves:
        for item in (*half.falsely_refused, *half.falsely_admitted):
            findings = item.verdict.findings if verbose else item.verdict.findings[:1]
            why = "\n".join(f"{finding.rule}: {finding.message}"[:300] for finding in findings)
            table.add_row(half.half, item.labelled.label, item.verdict.decision.value, why)
    return table


def _forgeries(forgery: Forgeries) -> Table:
    table = Table(title="Forged verdicts: which gate refused first", title_justify="left")
    for name in ("kind", "candidates", "all gates", "static gates off", "admitted"):
        table.add_column(name, justify="right" if name in {"candidates", "admitted"} else "left")
    for kind in KINDS:
        judged = [item for item in forgery.judged if item.kind == kind]
        ways = [forgery.refused_by(kind, guarded=guarded).most_common() for guarded in (True, False)]
        shown = [", ".join(f"{gate} {count}" for gate, count in way) for way in ways]
        table.add_row(kind, str(len(judged)), *shown, str(sum(item.admitted for item in judged)))
    return table


def _times(result: Result) -> Table:
    table = Table(title="Time to verdict, ms (median, p95 in brackets)", title_justify="left")
    table.add_column("what")
    table.add_column("time", justify="right")
    times = sorted(item.milliseconds for item in result.judged)
    if times:
        table.add_row(
            "all gates with mutation and replay, warm",
            f"{statistics.median(times):.0f} ({times[int(0.95 * (len(times) - 1))]:.0f})",
        )
    for taken in (result.speed.warm, result.speed.cold, result.speed.naive) if result.speed else ():
        table.add_row(taken.name, f"{taken.median:.0f} ({taken.p95:.0f})")
    return table
