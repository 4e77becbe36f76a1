"""How tools, verdicts and refusals look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from nucleate_codifier import GateReport, Judgement, Status, Verdict, verdict_json
from nucleate_sandbox import Json, JsonObject, Outcome
from nucleate_tool_library import Tool, ToolVersion

MARKS = {"passed": "[green]passed[/green]", "refused": "[red]refused[/red]", "unjudged": "[yellow]unjudged[/yellow]"}


def tool_table(tools: Sequence[Tool]) -> RenderableType:
    """Return one line for each tool."""
    table = Table(title=f"{len(tools)} tools", title_justify="left")
    for column in ("name", "scope", "state", "v", "uses", "calls replaced", "capabilities"):
        table.add_column(column, overflow="fold", justify="right" if column in ("v", "uses") else "left")
    for tool in tools:
        table.add_row(*_tool_row(tool))
    return table


def _tool_row(tool: Tool) -> tuple[str, ...]:
    calls = [len(_list(item.get("calls"))) for item in _objects(tool.version.evidence.get("seen"))]
    span = f"{min(calls)}–{max(calls)}" if calls and min(calls) != max(calls) else str(max(calls, default=0))
    capabilities = ", ".join(tool.version.capabilities)
    return tool.name, tool.scope, tool.state.value, str(tool.number), str(tool.uses), span, capabilities


def tool_page(tool: Tool, closure: Sequence[ToolVersion]) -> RenderableType:
    """Return everything that is known of a tool."""
    version = tool.version
    facts = Table.grid(padding=(0, 2))
    for label, value in _facts(tool, closure).items():
        facts.add_row(f"[bold]{label}[/bold]", Text(value))
    title = f"{tool.name} v{tool.number}, {tool.state.value}"
    return Group(
        Panel(Syntax(version.source, "python", theme="ansi_dark", word_wrap=True), title=title, title_align="left"),
        facts,
        _evidence_table(version),
        gates_table(version.verdict),
    )


def _facts(tool: Tool, closure: Sequence[ToolVersion]) -> dict[str, str]:
    version = tool.version
    return {
        "signature": version.signature.text,
        "scope": tool.scope,
        "version": version.id[:16],
        "plan": tool.plan_id or "none",
        "uses": str(tool.uses),
        "capabilities": ", ".join(version.capabilities) or "none",
        "closure": " → ".join(item.name for item in closure),
    }


def _evidence_table(version: ToolVersion) -> RenderableType:
    table = Table(title="Evidence", title_justify="left")
    for column in ("use", "task", "calls", "arguments", "query"):
        table.add_column(column, overflow="ellipsis", max_width=48, no_wrap=True)
    for use, key in (("compiled from", "seen"), ("held out", "held_out")):
        for item in _objects(version.evidence.get(key)):
            calls = str(len(_list(item.get("calls"))))
            row = (use, str(item.get("task_id")), calls, str(item.get("arguments")), str(item.get("query")))
            table.add_row(*(Text(cell) for cell in row))
    return table


def verdict_table(verdict: Verdict) -> RenderableType:
    """Return a fresh verdict as a table of gates."""
    return gates_table(verdict_json(verdict))


def gates_table(verdict: JsonObject) -> RenderableType:
    """Return a stored verdict as a table of gates, with findings."""
    table = Table(title=f"Verdict: {verdict.get('decision')}", title_justify="left")
    for column in ("gate", "result", "ms", "counted", "findings"):
        table.add_column(column, overflow="fold", justify="right" if column == "ms" else "left")
    times = verdict.get("times")
    took = times if isinstance(times, dict) else {}
    for gate in _objects(verdict.get("gates")):
        counts = gate.get("counts")
        counted = ", ".join(f"{value} {name}" for name, value in counts.items()) if isinstance(counts, dict) else ""
        findings = "\n".join(_finding_text(item) for item in _objects(gate.get("findings")))
        status = str(gate.get("status"))
        row = (str(gate.get("gate")), MARKS.get(status, status), _whole(took.get(str(gate.get("gate")))))
        table.add_row(*row, counted.replace("_", " "), Text(findings))
    return table


def refused_table(judgements: Sequence[Judgement]) -> RenderableType:
    """Return what was refused, newest first."""
    table = Table(title=f"{len(judgements)} not admitted", title_justify="left")
    for column in ("candidate", "scope", "decision", "findings"):
        table.add_column(column, overflow="fold")
    for item in judgements:
        gates = _objects(item.verdict.get("gates"))
        findings = [_finding_text(finding) for gate in gates for finding in _objects(gate.get("findings"))]
        table.add_row(Text(item.candidate), item.scope, item.decision.value, Text("\n".join(findings)))
    return table


def gate_line(report: GateReport) -> str:
    """Return one gate as a short mark for a live display."""
    mark = {Status.PASSED: "[green]✓[/green]", Status.REFUSED: "[red]✗[/red]"}.get(report.status, "[yellow]–[/yellow]")
    return f"{mark} {report.gate.value}"


def failure_text(outcome: Outcome) -> str:
    """Return how a tool call ended, when it did not end with a value."""
    if outcome.failure is None:
        return f"stopped: the {outcome.limit} limit was reached"
    where = f"\n{outcome.failure.traceback}" if outcome.failure.traceback else ""
    return f"{outcome.failure.kind}: {outcome.failure.message}{where}"


def _finding_text(finding: JsonObject) -> str:
    line = f" (line {finding['line']})" if finding.get("line") else ""
    fix = f"; {finding['fix']}" if finding.get("fix") else ""
    return f"{finding.get('rule')}{line}: {finding.get('message')}{fix}"


def _whole(value: Json) -> str:
    return f"{value:.0f}" if isinstance(value, int | float) else ""


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in _list(value) if isinstance(item, dict)]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
