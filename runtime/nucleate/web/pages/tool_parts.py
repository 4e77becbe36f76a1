"""One tool: whom it calls and who calls it, its versions, its trials, its uses."""

from __future__ import annotations

import difflib

from starlette.responses import Response

from nucleate.web.charting import Chart, Series
from nucleate.web.graph_drawing import draw_graph
from nucleate.web.pages.tool_pages import found_tool, tool_page
from nucleate.web.reads import use_rows
from nucleate.web.visit import PageVisit
from nucleate_tool_library import ToolVersion
from nucleate_tool_library.trials.release_gate import ReleasePolicy, judge
from nucleate_tool_library.trials.trial_store import Trials
from nucleate_tool_library.trials.trials import Trial


def graph(visit: PageVisit) -> Response:
    """Show the dependency graph both ways."""
    tool, library = found_tool(visit), visit.site.library
    below = library.graph(tool.name, tool.scope)
    above = library.graph(tool.name, tool.scope, callers=True)
    return tool_page(
        visit,
        "tool_graph.html",
        tool,
        drawing=draw_graph(below, above),
        callers=library.callers(tool.name, tool.scope)[:100],
        closure=[node for node in below.nodes if node.id != tool.version.id][:100],
    )


def versions(visit: PageVisit) -> Response:
    """Show the versions, what was done to the tool, and how two versions differ."""
    tool, library = found_tool(visit), visit.site.library
    before, after = visit.asked("before") or None, visit.asked("after") or None
    canary = visit.site.canary(tool)
    trial = library.version(canary.version_id) if canary is not None else None
    return tool_page(
        visit,
        "tool_versions.html",
        tool,
        events=list(reversed(library.history(tool.name, tool.scope)))[:200],
        versions=list(reversed(library.versions(tool.name, tool.scope)))[:100],
        diff=library.diff(tool.name, before, after, scope=tool.scope),
        trial=trial,
        text=_unified(tool.version.source, trial.source) if trial is not None and before is None else "",
    )


def trials(visit: PageVisit) -> Response:
    """Show what the version on trial has shown, with the rule that decides drawn in."""
    tool = found_tool(visit)
    canary = visit.site.canary(tool)
    version = visit.site.library.version(canary.version_id) if canary is not None else tool.version
    found = Trials(visit.site.engine).of(version.id)
    policy = ReleasePolicy(high_risk=frozenset(visit.site.settings.high_risk))
    high_risk = _high_risk(visit, version, policy)
    return tool_page(
        visit,
        "tool_trials.html",
        tool,
        version=version,
        trials=list(reversed(found))[:100],
        policy=policy,
        high_risk=high_risk,
        judgement=judge(found, policy=policy, high_risk=high_risk),
        chart_=_trial_chart(found, policy) if found else None,
    )


def uses(visit: PageVisit) -> Response:
    """Show uses and errors over time, and the latest calls."""
    tool = found_tool(visit)
    calls = use_rows.latest(visit.site.engine, tool.name, tool.scope)
    days = use_rows.by_day(calls)
    chart = Chart(
        title="Uses and errors by day",
        unit="calls",
        across="day",
        times=True,
        at=[day.at for day in days],
        lines=(
            Series("uses", [float(day.uses) for day in days], "bars", "accent"),
            Series("errors", [float(day.errors) for day in days], "bars", "bad"),
        ),
    )
    return tool_page(
        visit, "tool_uses.html", tool, calls=calls[:60], chart_=chart if days else None, paths=use_rows.by_path(calls)
    )


def _unified(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "in force", "on trial", lineterm="")
    return "\n".join(lines)


def _high_risk(visit: PageVisit, version: ToolVersion, policy: ReleasePolicy) -> bool:
    known = visit.site.effects().get(version.scope, {})
    reached = {name for item in visit.site.library.calls(version.id) for name in item.capabilities}
    return any(known.get(name, "destructive") in policy.high_risk for name in reached)


def _trial_chart(found: tuple[Trial, ...], policy: ReleasePolicy) -> Chart:
    """Return the pass rates as they came to be, case by case."""
    own, other = list[float | None](), list[float | None]()
    passed, tried, passed_before, tried_before = 0, 0, 0, 0
    for trial in found:
        if trial.candidate is not None:
            passed, tried = passed + trial.candidate.passed, tried + 1
        if trial.reference is not None:
            passed_before, tried_before = passed_before + trial.reference.passed, tried_before + 1
        own.append(passed / tried if tried else None)
        other.append(passed_before / tried_before if tried_before else None)
    numbers = [float(number) for number in range(1, len(found) + 1)]
    return Chart(
        title="Pass rate on trial",
        unit="share of cases",
        across="case",
        at=numbers,
        top=1.0,
        lines=(
            Series("on trial", own, "line", "accent"),
            Series("before", other, "line", "muted"),
            Series(f"rule: at least {policy.min_pass_rate:.0%}", [policy.min_pass_rate] * len(found), "rule", "bad"),
        ),
    )
