"""`nucleate tools trace`: where a tool came from."""

from __future__ import annotations

import typer

from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.cli.tools import render, trace_view
from nucleate.cli.tools.tools_options import AsJson, Name, Scope, print_json
from nucleate.runtime import Runtime
from nucleate_codifier import Decision
from nucleate_text_memory import Entry


def trace(context: typer.Context, name: Name, scope: Scope = None, as_json: AsJson = False) -> None:
    """Show where a tool came from: plan, queries, steps, gates, and its history since."""
    with open_runtime(context, looks=True) as runtime:
        tool = runtime.library.tool(name, scope)
        judged = [item for item in runtime.verdicts.list(scope=tool.scope) if item.plan_id == tool.plan_id]
        found = trace_view.Trace(
            tool=tool,
            plan=_plan(runtime, tool.plan_id),
            refused=[render.refused_json(item) for item in judged if item.decision is Decision.REJECTED],
            events=runtime.library.history(tool.name, tool.scope),
        )
    if as_json:
        print_json(trace_view.as_json(found))
    else:
        Screen().print(trace_view.page(found))


def _plan(runtime: Runtime, plan_id: str | None) -> Entry | None:
    """Return a tool's plan; a tool that was brought in from elsewhere may name one that is not here."""
    known = plan_id is not None and any(entry.id == plan_id for entry in runtime.memory.entries(valid_only=False))
    return runtime.memory.entry(plan_id) if known and plan_id else None
