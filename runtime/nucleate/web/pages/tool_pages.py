"""One tool: its source, what it was learned from, and what every gate said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from nucleate.web.comparing_values import Leaf, marked
from nucleate.web.reads import tool_rows
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_codifier.rulebook import RULES
from nucleate_sandbox import JsonObject
from nucleate_text_memory import UnknownEntry
from nucleate_tool_library import LibraryError, Tool

PARTS = (
    ("", "Source"),
    ("evidence", "Evidence"),
    ("verdict", "Verdict"),
    ("graph", "Graph"),
    ("versions", "Versions"),
    ("trials", "Trials"),
    ("uses", "Uses"),
    ("call", "Call"),
    ("edit", "Edit"),
)


def found_tool(visit: PageVisit) -> Tool:
    """Return the tool that the address names; NothingThere where there is none, or several."""
    try:
        return visit.site.library.tool(visit.part("name"), visit.asked("scope") or None)
    except LibraryError as error:
        raise NothingThere(str(error)) from error


def tool_page(visit: PageVisit, name: str, tool: Tool, **values: Any) -> Response:
    """Return one part of a tool's page."""
    canary = visit.site.canary(tool)
    return visit.page(name, tool=tool, parts=PARTS, canary=canary, rules=RULES, **values)


def source(visit: PageVisit) -> Response:
    """Show what a tool is: source, signature, documentation, figures."""
    tool = found_tool(visit)
    row = tool_rows.row_of(visit.site.engine, tool.name, tool.scope)
    (card,) = tool_rows.cards(visit.site.engine, [row], visit.site.effects())
    functions = visit.site.effects().get(tool.scope, {})
    closure = visit.site.library.calls(tool.version.id)
    return tool_page(
        visit,
        "tool_source.html",
        tool,
        card=card,
        closure=closure[:-1],
        callers=visit.site.library.callers(tool.name, tool.scope)[:50],
        capabilities=[(name, functions.get(name, "unknown")) for name in tool.version.capabilities],
        plan=_plan(visit, tool.plan_id),
        aliases=[alias for alias, name in visit.site.library.aliases(tool.scope).items() if name == tool.name],
    )


def evidence(visit: PageVisit) -> Response:
    """Show each supporting run beside what the tool does for it, with the values that differ between runs marked."""
    tool = found_tool(visit)
    seen, held = examples(tool.version.evidence, "seen"), examples(tool.version.evidence, "held_out")
    arguments = [item["arguments"] for item in (*seen, *held) if isinstance(item.get("arguments"), dict)]
    return tool_page(
        visit,
        "tool_evidence.html",
        tool,
        runs=[_run(item, "compiled from", arguments) for item in seen]
        + [_run(item, "held out", arguments) for item in held],
        plan=_plan(visit, tool.plan_id),
        origin=tool.version.evidence.get("origin"),
    )


def verdict(visit: PageVisit) -> Response:
    """Show the verdict gate by gate, with findings, counts, times, and the page of each rule."""
    tool = found_tool(visit)
    return tool_page(visit, "tool_verdict.html", tool, verdict=tool.version.verdict)


def examples(evidence: Mapping[str, Any], key: str) -> list[JsonObject]:
    """Return the recorded runs of a kind."""
    found = evidence.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _run(item: JsonObject, use: str, every: Sequence[Any]) -> dict[str, Any]:
    """Return one run: its calls with the values that come from the tool's arguments marked, and the one call."""
    given = item.get("arguments")
    arguments = given if isinstance(given, dict) else {}
    differing = {
        name for name in arguments if len({repr(other.get(name)) for other in every if isinstance(other, dict)}) > 1
    }
    found = item.get("calls")
    calls = [call for call in found if isinstance(call, dict)] if isinstance(found, list) else []
    values = [value for value in arguments.values() if isinstance(value, str | int | float) and value not in ("", 0)]
    return {
        "use": use,
        "task": item.get("task_id"),
        "query": item.get("query"),
        "arguments": arguments,
        "differing": differing,
        "calls": [(call.get("function"), _leaves(call.get("arguments"), values), call.get("result")) for call in calls],
        "result": item.get("result"),
    }


def _leaves(value: Any, given: Sequence[Any]) -> list[Leaf]:
    return marked(value, lambda leaf: any(leaf == item and type(leaf) is type(item) for item in given))


def _plan(visit: PageVisit, plan_id: str | None) -> Any:
    if plan_id is None:
        return None
    try:
        return visit.site.memory.entry(plan_id)
    except UnknownEntry:
        return None
