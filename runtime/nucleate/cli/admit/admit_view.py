"""How the verdicts on a repository look in a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress import Progress
from rich.syntax import Syntax
from rich.text import Text

from nucleate.cli.screen import Screen
from nucleate_codifier import Decision, GateReport, Status
from nucleate_codifier.repository import FindingPlace, JudgedTool, RepositoryReport, places, visible
from nucleate_codifier.rulebook import RULES, Rule

WIDTH = 118
MARKS = {
    Decision.ADMITTED: ("✓", "admitted", "green"),
    Decision.REJECTED: ("✗", "refused", "red"),
    Decision.PROVISIONAL: ("–", "provisional", "yellow"),
    Decision.UNJUDGED: ("–", "not judged", "yellow"),
}
GATES = {Status.PASSED: ("✓", "green"), Status.REFUSED: ("✗", "red"), Status.UNJUDGED: ("?", "yellow")}
PROVISIONAL = "provisional is not admitted: the embedded sandbox is no boundary; judge again where Docker answers"


def report_view(report: RepositoryReport, *, verbose: bool = False) -> RenderableType:
    """Return every tool with its gates and findings, and one line that sums up."""
    parts = [part for item in report.judged for part in _tool(item, verbose=verbose)]
    return Group(*parts, _summary(report))


def as_text(report: RepositoryReport) -> str:
    """Return the same as plain text, for a file."""
    console = Screen(file=io.StringIO(), width=WIDTH, color_system=None)
    with console.capture() as captured:
        console.print(report_view(report))
    return captured.get()


def as_svg(report: RepositoryReport) -> str:
    """Return the same as a picture."""
    console = Screen(file=io.StringIO(), width=WIDTH, record=True, force_terminal=True, color_system="truecolor")
    console.print(report_view(report))
    return console.export_svg(title="nucleate admit")


def show_rules(console: Screen, rules: Sequence[Rule]) -> None:
    """Print these rules; without one, a line for each that there is."""
    for rule in rules:
        _show_rule(console, rule)
    for rule in RULES.values() if not rules else ():
        console.print(Text(f"{rule.id:<32}", style="bold") + Text(rule.what), soft_wrap=True)


def _show_rule(console: Screen, rule: Rule) -> None:
    """Print one rule: what it refuses, why, how to put it right, and both ways to write it."""
    console.print(Text(rule.id, style="bold"))
    for label, text in {"refuses": rule.what, "why": rule.why, "fix": rule.fix}.items():
        console.print(Padding(Text(f"{label}: ", style="bold") + Text(text), (0, 0, 0, 2)))
    for label, code in {"refused": rule.bad, "instead": rule.good}.items():
        console.print(Padding(Text(label, style="bold"), (1, 0, 0, 2)))
        console.print(Padding(Syntax(code.rstrip(), "python", theme="ansi_dark", word_wrap=True), (0, 0, 0, 4)))


@contextmanager
def progress(total: int) -> Iterator[Callable[[JudgedTool], None]]:
    """Show on standard error how many tools are judged; yield the function that counts one."""
    console = Screen(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("judging", total=total)
        yield lambda _judged: bar.advance(task)


def _tool(item: JudgedTool, *, verbose: bool) -> Iterator[RenderableType]:
    mark, word, style = MARKS[item.verdict.decision]
    remembered = Text("  remembered", style="dim") if item.cached else Text()
    yield Text(f"{mark} {word:<12}", style=f"bold {style}") + Text(visible(item.tool.path), style="bold") + remembered
    yield Padding(_gates(item.verdict.gates), (0, 0, 0, 4))
    if verbose:
        yield Padding(_details(item), (0, 0, 0, 4))
    yield from findings_view(item)
    yield Text()


def findings_view(item: JudgedTool) -> list[RenderableType]:
    """Return every finding about one tool, with its line and how to put it right."""
    return [Padding(_finding(place), (0, 0, 0, 4)) for place in places(item)]


def _gates(gates: tuple[GateReport, ...]) -> Text:
    marks = [(*GATES.get(report.status, ("–", "dim")), report.gate.value) for report in gates]
    return Text("  ").join(Text(f"{mark} ", style=style) + Text(name) for mark, style, name in marks)


def _details(item: JudgedTool) -> Text:
    counted = [
        f"{count} {name.replace('_', ' ')}" for report in item.verdict.gates for name, count in report.counts.items()
    ]
    took = [f"{report.gate.value} {report.milliseconds:.0f}" for report in item.verdict.gates if report.milliseconds]
    rows = {
        "counted": ", ".join(counted),
        "ms": ", ".join(took),
        "may call": ", ".join([*item.verdict.capabilities, *item.dependencies]) or "nothing",
        "depends on": item.verdict.depends_on,
    }
    return Text("\n").join(Text(f"{label}: ", style="dim") + Text(text) for label, text in rows.items() if text)


def _finding(place: FindingPlace) -> RenderableType:
    finding = place.finding
    style = "red" if place.is_refusal else "yellow"
    at = f"{visible(place.judged.tool.path)}:{finding.line}" if finding.line else visible(place.judged.tool.path)
    head = Text(f"{at}  ") + Text(finding.rule, style=f"bold {style}") + Text(f"  {visible(finding.message)}")
    lines = [Padding(head, (0, 0, 0, 0))]
    if place.excerpt:
        lines.append(Padding(Text(f"{finding.line:>4} │ {visible(place.excerpt)}", style="cyan"), (0, 0, 0, 2)))
    if finding.fix:
        lines.append(Padding(Text("fix: ", style="dim") + Text(visible(finding.fix)), (0, 0, 0, 2)))
    return Group(*lines)


def _summary(report: RepositoryReport) -> Text:
    total = len(report.judged)
    if not total:
        return Text("nothing to judge", style="bold")
    counts = ", ".join(f"{count} {MARKS[Decision(key)][1]}" for key, count in report.counts.items())
    text = Text(f"{total} tool{'s' * (total != 1)}: {counts}; {report.seconds:.1f} s", style="bold")
    if Decision.PROVISIONAL.value in report.counts:
        text += Text(f"\n{PROVISIONAL}", style="yellow")
    return text
