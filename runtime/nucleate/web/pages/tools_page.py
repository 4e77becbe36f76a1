"""The tools: search, filter, one card each."""

from __future__ import annotations

from starlette.responses import Response

from nucleate.web.reads import tool_rows
from nucleate.web.visit import PageVisit
from nucleate_tool_library import State

FILTERS = ("state", "scope", "effect", "use", "health", "order")


def tools(visit: PageVisit) -> Response:
    """Show one page of the tools that were asked for."""
    words = visit.asked("q")[:200]
    asked = {name: visit.asked(name) for name in FILTERS}
    wanted = tool_rows.ToolFilter(
        ids=visit.site.tool_names.search(words) if words.strip() else None,
        state=asked["state"],
        scope=asked["scope"],
        effect=asked["effect"],
        use=asked["use"],
        health=asked["health"],
        order=asked["order"] or "name",
        page=visit.count("page", most=10_000),
    )
    effects = visit.site.effects()
    count, cards = tool_rows.tools(visit.site.engine, wanted, effects)
    if wanted.ids is not None and wanted.order == "name":
        places = {id_: place for place, id_ in enumerate(wanted.ids)}
        cards = sorted(cards, key=lambda card: places[card.id])
    return visit.page(
        "tools.html",
        words=words,
        asked=asked,
        cards=cards,
        count=count,
        number=wanted.page,
        pages=-(-count // tool_rows.PER_PAGE),
        states=visit.site.states(),
        every=[state.value for state in State],
        scopes=sorted(effects),
    )
