"""How verifications, trials and the health of a library look in a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from nucleate.release.contradictions import AuditedTool
from nucleate.release.health import HealthReport, OnTrial, ToolHealth
from nucleate.release.twins import MergeProposal
from nucleate.release.verifying import Verified
from nucleate_sandbox import Json, JsonObject
from nucleate_tool_library import Tool
from nucleate_tool_library.usage.health import LibraryHealth

RESULTS = {"returned": "green", "rebuilt": "green", "relinked": "green", "archived": "red", "waits": "yellow"}


def verified(items: Sequence[Verified]) -> RenderableType:
    """Return one row for each tool that was verified, and what became of it."""
    table = Table(title=f"{len(items)} tools verified", title_justify="left")
    for column in ("tool", "result", "state"):
        table.add_column(column, no_wrap=True)
    for column in ("changed", "called by", "why"):
        table.add_column(column, overflow="fold", min_width=12)
    for item in items:
        colour = RESULTS.get(item.result, "dim")
        state = item.now.value if item.was is item.now else f"{item.was} → {item.now}"
        row = (", ".join(item.changed), ", ".join(item.dependents), item.why)
        table.add_row(Text(item.name), f"[{colour}]{item.result}[/{colour}]", state, *map(Text, row))
    return table


def verified_json(item: Verified) -> JsonObject:
    """Return what became of one tool."""
    return {
        "name": item.name,
        "scope": item.scope,
        "result": item.result,
        "was": item.was.value,
        "now": item.now.value,
        "changed": list(item.changed),
        "dependents": list(item.dependents),
        "why": item.why,
    }


def released_json(tool: Tool) -> JsonObject:
    """Return a tool after a person promoted or demoted it."""
    return {
        "name": tool.name,
        "scope": tool.scope,
        "state": tool.state.value,
        "number": tool.number,
        "release": tool.release,
        "version": tool.version.id,
    }


def health(report: HealthReport, proposals: Sequence[MergeProposal]) -> RenderableType:
    """Return the figures of a library, its tools, its trials, and what may be merged."""
    parts: list[RenderableType] = [_figures(report.library), _tools(report.tools)]
    if report.on_trial:
        parts.append(_trials(report.on_trial))
    if proposals:
        parts.append(_proposals(proposals))
    return Group(*parts)


def health_json(report: HealthReport, proposals: Sequence[MergeProposal]) -> JsonObject:
    """Return the same as JSON."""
    library = report.library
    states: dict[str, Json] = dict(library.states)
    return {
        "tools": library.tools,
        "states": states,
        "uses_per_tool": library.uses_per_tool,
        "share_used": library.share_used,
        "mean_age_days": library.mean_age_days,
        "useful": library.useful,
        "idle": list(library.idle),
        "each": [_tool_json(item) for item in report.tools],
        "on_trial": [_trial_json(item) for item in report.on_trial],
        "merge": [_proposal_json(item) for item in proposals],
    }


def _figures(library: LibraryHealth) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    states = ", ".join(f"{count} {state}" for state, count in library.states.items())
    claim = "" if library.useful else "  [red]below 0.1: the library is not doing what it claims[/red]"
    table.add_row("[bold]tools[/bold]", states or "none")
    table.add_row("[bold]uses per tool[/bold]", f"{library.uses_per_tool:.2f}{claim}")
    table.add_row("[bold]ever used[/bold]", f"{library.share_used:.0%}")
    table.add_row("[bold]mean age[/bold]", f"{library.mean_age_days:.1f} days")
    if library.idle:
        table.add_row("[bold]never used, not young[/bold]", Text(", ".join(library.idle)))
    return table


def audit(items: Sequence[AuditedTool]) -> RenderableType:
    """Return a line for each tool, those that runs speak against first."""
    table = Table(title="Tools held against the runs of their plans", title_justify="left")
    for column in ("tool", "runs", "groups against it", "how"):
        table.add_column(column, overflow="fold", justify="left" if column in ("tool", "how") else "right")
    for item in sorted(items, key=lambda one: (-one.groups, one.tool.name)):
        table.add_row(item.tool.name, str(item.runs), str(item.groups), Text(item.how))
    return table


def audit_json(items: Sequence[AuditedTool]) -> Json:
    """Return what the table shows, with the tasks."""
    return [
        {
            "tool": item.tool.name,
            "scope": item.tool.scope,
            "runs": item.runs,
            "groups": item.groups,
            "tasks": [*item.tasks],
            "how": item.how,
        }
        for item in items
    ]


def _tools(tools: Sequence[ToolHealth]) -> RenderableType:
    table = Table(title="Tools", title_justify="left")
    for column in ("tool", "state", "uses", "η", "score", "why it is suspect"):
        table.add_column(column, overflow="fold", justify="right" if column in ("uses", "η", "score") else "left")
    for item in tools:
        row = (item.name, item.state.value, str(item.uses), f"{item.reliability:.2f}", f"{item.score:.2f}")
        table.add_row(*row, Text(item.why))
    return table


def _trials(items: Sequence[OnTrial]) -> RenderableType:
    table = Table(title="On trial", title_justify="left")
    for column in ("tool", "version", "cases", "next", "what is missing"):
        table.add_column(column, overflow="fold")
    for item in items:
        missing = "; ".join(map(str, item.judgement.reasons))
        step = item.judgement.step.value
        table.add_row(item.name, str(item.number), str(item.judgement.figures.cases), step, Text(missing))
    return table


def _proposals(items: Sequence[MergeProposal]) -> RenderableType:
    table = Table(title="May be merged: the same results and writes in every case", title_justify="left")
    for column in ("keep", "merge into it", "cases", "compared on", "command"):
        table.add_column(column, overflow="fold")
    for item in items:
        on = "copies of the environment" if item.live else "recorded answers"
        table.add_row(item.keep, item.drop, str(item.cases), on, f"nucleate tools merge {item.drop} --into {item.keep}")
    return table


def _tool_json(item: ToolHealth) -> JsonObject:
    return {
        "name": item.name,
        "scope": item.scope,
        "state": item.state.value,
        "uses": item.uses,
        "reliability": item.reliability,
        "score": item.score,
        "why": item.why,
    }


def _trial_json(item: OnTrial) -> JsonObject:
    judgement = item.judgement
    figures: dict[str, Json] = asdict(judgement.figures)
    return {
        "name": item.name,
        "scope": item.scope,
        "version": item.version_id,
        "number": item.number,
        "next": judgement.step.value,
        "missing": [str(reason) for reason in judgement.reasons],
        "figures": figures,
    }


def _proposal_json(item: MergeProposal) -> JsonObject:
    names: dict[str, Json] = dict(item.names)
    return {
        "keep": item.keep,
        "drop": item.drop,
        "scope": item.scope,
        "cases": item.cases,
        "live": item.live,
        "names": names,
    }
