"""How tools, verdicts and refusals look in a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from nucleate_codifier import Judgement, Verdict
from nucleate_sandbox import Call, Json, JsonObject, Outcome
from nucleate_tool_library import Dependent, Tool, ToolVersion

MARKS = {"passed": "[green]passed[/green]", "refused": "[red]refused[/red]", "unjudged": "[yellow]unjudged[/yellow]"}


def tool_page(tool: Tool, closure: Sequence[ToolVersion], callers: Sequence[Dependent]) -> RenderableType:
    """Return everything that is known of a tool."""
    from rich.syntax import Syntax  # with its lexers it is dear, and only this page needs it

    version = tool.version
    facts = Table.grid(padding=(0, 2))
    for label, value in _facts(tool, closure, callers).items():
        facts.add_row(f"[bold]{label}[/bold]", Text(value))
    title = f"{tool.name} {tool.release}, {tool.state.value}{', pinned' * tool.pinned}"
    return Group(
        Panel(Syntax(version.source, "python", theme="ansi_dark", word_wrap=True), title=title, title_align="left"),
        facts,
        _evidence_table(version),
        gates_table(version.verdict),
    )


def _facts(tool: Tool, closure: Sequence[ToolVersion], callers: Sequence[Dependent]) -> dict[str, str]:
    version = tool.version
    made = {
        "author": version.author,
        "prompt": version.prompt_hash[:16],
        "packages": ", ".join(_packages(version.lock)),
    }
    return {
        "signature": version.signature.text,
        "scope": tool.scope,
        "version": f"{version.id[:16]}, the {tool.number}. of this tool",
        "plan": tool.plan_id or "none",
        "uses": str(tool.uses),
        "capabilities": ", ".join(version.capabilities) or "none",
        "closure": " → ".join(item.name for item in closure),
        "called by": ", ".join(item.name for item in callers) or "no tool",
    } | {label: value for label, value in made.items() if value}


def _packages(lock: str) -> list[str]:
    return [line.split(";")[0].strip(" \\") for line in lock.splitlines() if "==" in line]


def _evidence_table(version: ToolVersion) -> RenderableType:
    table = Table(title="Evidence", title_justify="left")
    for column in ("use", "task", "calls", "query, and the arguments for it"):
        table.add_column(column, overflow="fold", no_wrap=column == "use")
    for use, key in (("compiled from", "seen"), ("held out", "held_out")):
        for item in objects(version.evidence.get(key)):
            given = json.dumps(item.get("arguments"), ensure_ascii=False)
            asked = Text.assemble(str(item.get("query")), ("\n" + given, "dim"))
            table.add_row(use, Text(str(item.get("task_id"))), str(len(_list(item.get("calls")))), asked)
    return table


def verdict_table(verdict: Verdict) -> RenderableType:
    """Return a fresh verdict as a table of gates."""
    from nucleate_codifier import verdict_json  # what is stored is JSON already

    return gates_table(verdict_json(verdict))


def gates_table(verdict: JsonObject) -> RenderableType:
    """Return a stored verdict as a table of gates, with findings."""
    table = Table(title=f"Verdict: {verdict.get('decision')}", title_justify="left")
    for column in ("gate", "result", "ms", "counted", "findings"):
        table.add_column(column, overflow="fold", justify="right" if column == "ms" else "left")
    times = verdict.get("times")
    took = times if isinstance(times, dict) else {}
    for gate in objects(verdict.get("gates")):
        counts = gate.get("counts")
        counted = ", ".join(f"{value} {name}" for name, value in counts.items()) if isinstance(counts, dict) else ""
        findings = "\n".join(_finding_text(item) for item in objects(gate.get("findings")))
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
        gates = objects(item.verdict.get("gates"))
        findings = [_finding_text(finding) for gate in gates for finding in objects(gate.get("findings"))]
        table.add_row(Text(item.candidate), item.scope, item.decision.value, Text("\n".join(findings)))
    return table


def refused_json(item: Judgement) -> JsonObject:
    """Return a judgement that refused, with each finding."""
    gates = objects(item.verdict.get("gates"))
    findings: list[Json] = [
        {"gate": gate.get("gate")} | finding for gate in gates for finding in objects(gate.get("findings"))
    ]
    return {
        "candidate": item.candidate,
        "scope": item.scope,
        "plan": item.plan_id,
        "decision": item.decision.value,
        "at": item.created_at.isoformat(),
        "findings": findings,
        "source": item.source,
    }


def outcome_json(outcome: Outcome) -> JsonObject:
    """Return how a tool call ended, with the calls that it made."""
    error = outcome.error
    return {
        "ok": outcome.ok,
        "value": outcome.value,
        "error": {"kind": error.kind, "message": error.message} if error else None,
        "limit": error.limit.value if error and error.limit else None,
        "calls": [_call_json(call) for call in outcome.calls],
        "seconds": outcome.usage.seconds,
    }


def _call_json(call: Call) -> JsonObject:
    told: JsonObject = {"unchecked": [*call.unchecked]} if call.unchecked else {}
    return {"function": call.function, "arguments": call.arguments, **told}


def unchecked_text(outcome: Outcome) -> str:
    """Return what of its calls' arguments could not be held to a schema, a line each; nothing where all was."""
    lines = (f"not checked: {call.function}: {'; '.join(call.unchecked)}" for call in outcome.calls if call.unchecked)
    return "\n".join(dict.fromkeys(lines))


def failure_text(outcome: Outcome) -> str:
    """Return how a tool call ended, when it did not end with a value."""
    where = f"\n{outcome.failure.traceback}" if outcome.failure and outcome.failure.traceback else ""
    return f"{outcome.error}{where}"


def _finding_text(finding: JsonObject) -> str:
    line = f" (line {finding['line']})" if finding.get("line") else ""
    fix = f"; {finding['fix']}" if finding.get("fix") else ""
    return f"{finding.get('rule')}{line}: {finding.get('message')}{fix}"


def _whole(value: Json) -> str:
    return f"{value:.0f}" if isinstance(value, int | float) else ""


def objects(value: Json) -> list[JsonObject]:
    """Return the objects of a list; none where it is no list."""
    return [item for item in _list(value) if isinstance(item, dict)]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
