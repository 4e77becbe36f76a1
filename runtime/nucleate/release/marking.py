"""Marks tools as suspect with everything that calls them, so that none is called before it is verified."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter

from nucleate import events
from nucleate.services import Services
from nucleate_tool_library import LibraryError, State, Tool

IN_USE = (State.ACTIVE, State.CANARY, State.CANDIDATE, State.DEPRECATED)


def mark(services: Services, hit: Iterable[tuple[str, str]], *, scope: str, by: str) -> tuple[str, ...]:
    """Make tools (name, why) and their callers suspect, queue their verification, and return their names in order."""
    names = suspect(services, hit, scope=scope, by=by)
    queue(services, names, scope)
    return names


def suspect(services: Services, hit: Iterable[tuple[str, str]], *, scope: str, by: str) -> tuple[str, ...]:
    """Make tools and their callers suspect, and return their names, what is called before what calls it.

    Pinned tools are people's: they and what calls them only through them stay as they are.
    """
    wanted = dict(hit)
    every = services.library.tools(scope=scope, states=IN_USE) if wanted else ()
    reasons = with_callers(every, wanted)
    marked = [tool for tool in callees_first(every) if tool.name in reasons and not tool.pinned]
    for tool in marked:
        _mark(services, tool, by=by, why=reasons[tool.name])
    return tuple(tool.name for tool in marked)


def queue(services: Services, names: Sequence[str], scope: str, *, asked_by: str = "") -> None:
    """Queue the verification of tools, and say that there is work."""
    for name in names:
        queue_verify(services, name, scope, asked_by=asked_by)
    if names:
        services.wake()


def queue_verify(services: Services, name: str, scope: str, *, asked_by: str = "") -> None:
    """Queue a tool's verification, once for each event of its life (and for each that asks)."""
    count = len(services.library.history(name, scope))
    services.jobs.put("verify", f"{scope}/{name}", key=f"verify:{scope}/{name}:{count}{asked_by and ':'}{asked_by}")


def with_callers(tools: Sequence[Tool], hit: dict[str, str]) -> dict[str, str]:
    """Return the reasons with those of every tool that calls one of them, directly or not (the reverse closure)."""
    names = {tool.version.id: tool.name for tool in tools}
    callers: dict[str, list[str]] = {}
    pinned = {tool.name for tool in tools if tool.pinned}
    for tool in tools:
        for dependency in tool.version.dependencies:
            callers.setdefault(names.get(dependency, ""), []).append(tool.name)
    reasons, new = dict(hit), [name for name in hit if name not in pinned]
    while new:
        name = new.pop()
        for caller in callers.get(name, ()):
            if caller not in reasons and caller not in pinned:
                reasons[caller] = f"calls {name!r}, which is suspect"
                new.append(caller)
    return reasons


def callees_first(tools: Sequence[Tool]) -> list[Tool]:
    """Return tools in an order in which each comes after what it calls."""
    known = {tool.version.id: tool for tool in tools}
    order = TopologicalSorter(
        {key: [d for d in tool.version.dependencies if d in known] for key, tool in known.items()}
    )
    return [known[key] for key in order.static_order()]


def _mark(services: Services, tool: Tool, *, by: str, why: str) -> None:
    try:
        services.library.transition(tool.name, tool.scope, to=State.SUSPECT, by=by, why=why)
    except LibraryError:  # another process was first, or it is archived meanwhile: it cannot be called either way
        return
    services.listen(
        events.ToolReleased(name=tool.name, scope=tool.scope, was=tool.state, now=State.SUSPECT, by=by, why=why)
    )
