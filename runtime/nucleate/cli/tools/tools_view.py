"""How lists, histories, diffs and changes of tools look in a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from nucleate_tool_library import Change, Dependent, Diff, Pair, Release, ToolLine

COLOURS = {"active": "green", "candidate": "yellow", "canary": "cyan", "suspect": "red", "deprecated": "magenta"}
_WIDTH = 46


def tools(items: Sequence[ToolLine]) -> RenderableType:
    """Return two lines for each tool: how it stands, and what it does."""
    return _table(f"{len(items)} tools", [(str(item.uses), item) for item in items], "uses")


def found(items: Sequence[tuple[float, ToolLine]]) -> RenderableType:
    """Return what a search found, best first, with its score."""
    return _table(f"{len(items)} found", [(f"{score:.2f}", item) for score, item in items], "score")


def _table(title: str, rows: Sequence[tuple[str, ToolLine]], last: str) -> Table:
    """Return a table that fits 80 columns and never cuts a name, which commands take; one scope stands in the title."""
    scopes = sorted({item.scope for _value, item in rows})
    table = Table(title=f"{title} in {scopes[0]}" if len(scopes) == 1 else title, title_justify="left")
    longest = max((len(item.name) for _value, item in rows), default=4)
    width = max(longest, _WIDTH if len(scopes) == 1 else _WIDTH - 10)
    table.add_column("name, and what it does", no_wrap=True, overflow="ellipsis", min_width=longest, max_width=width)
    for column in ("scope",) * (len(scopes) > 1) + ("state", "release"):
        table.add_column(column, overflow="fold")
    table.add_column(last, justify="right", no_wrap=True)
    for value, item in rows:
        where = (item.scope,) * (len(scopes) > 1)
        table.add_row(_name(item), *where, _stands(item), item.release, value)
    return table


def _name(item: ToolLine) -> Text:
    also = f"also {', '.join(item.aliases)}; " if item.aliases else ""
    return Text.assemble((item.name, "bold"), (f"\n  {also}{item.summary}", "dim"))


def _stands(item: ToolLine) -> Text:
    return state(item.state.value) + Text("\npinned" if item.pinned else "")


def history(name: str, events: Sequence[Release]) -> RenderableType:
    """Return a tool's events, the oldest first."""
    table = Table(title=f"{name}: {len(events)} events", title_justify="left")
    for column in ("when (UTC)", "what", "release", "state", "by", "why"):
        table.add_column(column, overflow="fold", no_wrap=column in ("when (UTC)", "release"))
    for item in events:
        when = item.at.strftime("%Y-%m-%d %H:%M")
        moved = item.was is not None and item.was is not item.now
        where = f"{item.was} → {item.now}" if moved else item.now.value
        table.add_row(when, item.action, item.release, where, Text(item.by), Text(item.why))
    return table


def pairs(items: Sequence[Pair]) -> RenderableType:
    """Return pairs of tools that may be one."""
    table = Table(title=f"{len(items)} pairs of near-duplicates", title_justify="left")
    for column in ("similar", "scope", "first", "second"):
        table.add_column(column, overflow="fold", justify="right" if column == "similar" else "left")
    for item in items:
        table.add_row(f"{item.similarity:.2f}", item.scope, item.first, item.second)
    return table


def change(item: Change, *, made: bool) -> RenderableType:
    """Return what a change does: dependents first, then every event, then the names that lead on."""
    verb = "Done" if made else "Would be done"
    lines = [Text(f"{verb}: {item.action} {item.tool.name} ({item.tool.scope})", style="bold")]
    lines += [Text(_dependent(other)) for other in item.dependents] or [Text("  no tool calls it")]
    for effect in item.effects:
        event = effect.event
        moved = f"{event.was} → {event.now}" if event.was not in (None, event.now) else str(event.now)
        lines.append(Text(f"  {effect.tool} {event.release}: {event.action}, {moved} ({event.why})"))
    lines += [Text(f"  the name {alias} leads to {name}") for alias, name in item.aliases.items()]
    return Group(*lines)


def diff(item: Diff) -> RenderableType:
    """Return how two versions differ; a part in which they do not is left out."""
    from rich.syntax import Syntax  # with its lexers it is dear, and no list needs it

    blocks: list[RenderableType] = [
        Text(f"{item.before[:12]} → {item.after[:12]}: a {item.step} step", style="bold")
        if item.step != "none"
        else Text(f"{item.after[:12]} is the only version", style="bold")
    ]
    for title, text in (("source", item.source), ("signature", item.signature), ("tests and evidence", item.tests)):
        if text:
            blocks += [Text(f"\n{title}", style="bold"), Syntax(text, "diff", theme="ansi_dark", word_wrap=True)]
    for title, part in (("closure", item.closure), ("capabilities", item.capabilities)):
        signs = (("+", part.added), ("-", part.removed), ("~", part.changed))
        names = [Text(f"  {sign} {name}") for sign, group in signs for name in group]
        blocks += [Text(f"\n{title}", style="bold"), *names] if names else []
    return Group(*blocks)


def state(name: str) -> Text:
    """Return a state in its colour."""
    return Text(name, style=COLOURS.get(name, "dim"))


def _dependent(item: Dependent) -> str:
    how = "calls it" if item.depth == 1 else f"leads to it over {item.depth} calls"
    what = f"follows as {item.release}" if item.follows else item.why
    return f"  {item.name} {how}" + (f": {what}" if what else "")
