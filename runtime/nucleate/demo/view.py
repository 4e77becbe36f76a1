"""What the demo shows while the runtime learns: a log that a person can follow, line by line."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from nucleate import events
from nucleate_codifier import Candidate, Decision, GateReport, Status
from nucleate_text_memory import Entry, Kind

SHOWN_PLANS = 2
MARKS = {Status.PASSED: ("✓", "green"), Status.REFUSED: ("✗", "red"), Status.UNJUDGED: ("?", "yellow")}


class DemoView:
    """A listener that prints. Events of one task are gathered and printed when the task is over."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._selected: list[events.PlanSelected] = []
        self._gates: dict[str, list[GateReport]] = {}  # by the candidate's name: several may be judged together
        self._added: list[Entry] = []

    def __call__(self, event: events.Event) -> None:
        """Show one event, or keep it until its task is over."""
        match event:
            case events.PlanSelected():
                self._selected.append(event)
            case events.EntryAdded(entry=entry):
                self._added.append(entry)
            case events.GateJudged(candidate=candidate, report=report):
                self._gates.setdefault(candidate.name, []).append(report)
            case events.CandidateJudged():
                self._judged(event)
            case events.CodifierRefused(plan=plan, findings=findings):
                self._line("no tool", "yellow", f"{plan_text(plan)}: {findings[0].message}")
            case _:
                pass

    def flush(self) -> None:
        """Print what one task added: how full B(p) is, new plans, pitfalls and facts."""
        for item in sorted(self._selected, key=_longest_first)[:SHOWN_PLANS]:
            dots = "●" * item.size + "○" * max(0, item.threshold - item.size)
            self._line("B(p)", "cyan", f"{dots} {item.size} of {item.threshold}  {plan_text(item.plan)}")
        if len(self._selected) > SHOWN_PLANS:
            self._line("", "cyan", f"and {len(self._selected) - SHOWN_PLANS} shorter plans within it")
        for entry in self._added:
            self._line(entry.kind.value, "blue", plan_text(entry) if entry.kind is Kind.PLAN else entry.title)
        self._selected, self._added = [], []

    def _judged(self, event: events.CandidateJudged) -> None:
        self._line("candidate", "magenta", signature_line(event.candidate))
        gates = Text("  ").join(_mark(report) for report in self._gates.pop(event.candidate.name, []))
        self._console.print(Text("     gates      ", style="magenta") + gates)
        if event.tool is not None:
            state = "registered" if event.verdict.decision is Decision.ADMITTED else "provisional (no Docker)"
            self._line("tool", "bold green", f"{event.tool.name} is {state}")
            return
        for finding in event.verdict.findings[:2]:
            self._line("refused", "red", f"{finding.rule}: {finding.message}")

    def _line(self, label: str, style: str, text: str) -> None:
        width = max(40, self._console.width - 17)
        shown = text if len(text) <= width else text[: width - 1] + "…"
        self._console.print(Text(f"     {label:<10} ", style=style) + Text(shown))


def plan_text(plan: Entry) -> str:
    """Return a plan as the functions that it strings together."""
    return " → ".join(name.split(".")[-1] for name in plan.signature)


def signature_line(candidate: Candidate) -> str:
    """Return the line of the candidate's source that begins its public function."""
    start = f"def {candidate.name}("
    lines = candidate.source.splitlines()
    first = next((index for index, line in enumerate(lines) if start in line), 0)
    taken = []
    for line in lines[first:]:
        taken.append(line.strip())
        if line.rstrip().endswith(":"):
            break
    return " ".join(taken).removeprefix("def ").removesuffix(":")


def _longest_first(item: events.PlanSelected) -> tuple[int, int]:
    return -len(item.plan.signature), -item.size


def _mark(report: GateReport) -> Text:
    mark, style = MARKS.get(report.status, ("–", "dim"))
    return Text(f"{mark} {report.gate.value}", style=style)
