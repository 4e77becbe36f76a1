"""Where a tool came from, as a story: plan, tasks, steps, gates, and what became of it since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from nucleate.cli.tools import json_columns as tools_json
from nucleate.cli.tools import render, tools_view
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Entry
from nucleate_tool_library import Release, Tool


@dataclass(frozen=True, kw_only=True)
class Trace:
    """A tool with the plan that it was compiled from, where that is known, earlier refusals, and its events."""

    tool: Tool
    plan: Entry | None
    refused: Sequence[JsonObject]
    events: Sequence[Release]


def as_json(trace: Trace) -> JsonObject:
    """Return the story in stable columns."""
    version, plan = trace.tool.version, trace.plan
    told: Json = None
    if plan is not None:
        told = {
            "id": plan.id,
            "title": plan.title,
            "body": plan.body,
            "status": plan.status.value,
            "tasks": _tasks(plan),
        }
    return {
        "name": trace.tool.name,
        "scope": trace.tool.scope,
        "release": trace.tool.release,
        "version": version.id,
        "author": version.author,
        "prompt_hash": version.prompt_hash,
        "origin": version.evidence.get("origin"),
        "derived": version.evidence.get("derived"),
        "plan": told,
        "queries": [_query(item) | {"use": use} for use, item in examples(trace.tool)],
        "gates": version.verdict.get("gates", []),
        "decision": version.verdict.get("decision"),
        "refused_before": list(trace.refused),
        "history": [tools_json.event(item) for item in trace.events],
    }


def page(trace: Trace) -> RenderableType:
    """Return the story for a terminal."""
    version = trace.tool.version
    derived = version.evidence.get("derived")
    made = [f"by {version.author}"] if version.author else []
    made += [f"prompt {version.prompt_hash[:12]}"] if version.prompt_hash else []
    made += [f"{derived['by']} from {str(derived['from'])[:12]}"] if isinstance(derived, dict) else []
    head = Text(f"{trace.tool.name} {trace.tool.release}, version {version.id[:12]}", style="bold")
    return Group(
        head + Text(f" ({', '.join(made)})" if made else "", style="not bold"),
        _plan(trace),
        _queries(trace.tool),
        _steps(trace.tool),
        render.gates_table(version.verdict),
        tools_view.history(trace.tool.name, trace.events),
    )


def examples(tool: Tool) -> list[tuple[str, JsonObject]]:
    """Return the recorded tasks that a tool was made from and tried on."""
    uses = (("compiled from", "seen"), ("held out", "held_out"))
    return [(use, item) for use, key in uses for item in render.objects(tool.version.evidence.get(key))]


def _plan(trace: Trace) -> RenderableType:
    if trace.plan is None:
        return Text(f"\nPlan: {trace.tool.plan_id or 'none; it was registered by hand'}")
    plan = trace.plan
    tried = f"; refused {len(trace.refused)} times before" if trace.refused else ""
    return Text(f"\nPlan {plan.id}, {plan.status.value}, seen in {len(_tasks(plan))} tasks{tried}\n{plan.title}")


def _queries(tool: Tool) -> RenderableType:
    table = Table(title="Tasks", title_justify="left")
    for column in ("use", "task", "query"):
        table.add_column(column, overflow="fold", no_wrap=column == "use")
    for use, item in examples(tool):
        table.add_row(use, Text(str(item.get("task_id"))), Text(str(item.get("query"))))
    return table


def _steps(tool: Tool) -> RenderableType:
    """Return the calls of the first recorded task: what one call of the tool stands for."""
    found = examples(tool)
    calls = render.objects(found[0][1].get("calls")) if found else []
    table = Table(
        title=f"{len(calls)} calls that one call of the tool replaces, in {_first(found)}", title_justify="left"
    )
    for column in ("", "function", "arguments"):
        table.add_column(column, overflow="fold", no_wrap=column == "function")
    for number, call in enumerate(calls, 1):
        table.add_row(str(number), str(call.get("function")), Text(_short(call.get("arguments"))))
    return table


def _first(found: Sequence[tuple[str, JsonObject]]) -> str:
    return str(found[0][1].get("task_id")) if found else "no recorded task"


def _query(item: JsonObject) -> JsonObject:
    functions: list[Json] = [call.get("function") for call in render.objects(item.get("calls"))]
    return {
        "task": item.get("task_id"),
        "query": item.get("query"),
        "arguments": item.get("arguments"),
        "result": item.get("result"),
        "calls": functions,
    }


def _tasks(plan: Entry) -> list[Json]:
    return list(dict.fromkeys(evidence.task_id for evidence in plan.evidence))


def _short(value: Json) -> str:
    pairs = value.items() if isinstance(value, dict) else ()
    return ", ".join(f"{name}={text if len(text := repr(item)) <= 40 else text[:39] + '…'}" for name, item in pairs)
