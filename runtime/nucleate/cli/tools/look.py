"""`nucleate tools` verbs that only look: list, search, show, source, diff, history, refused.

Each imports for itself what the others do without, since the imports take longer than the looking.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from nucleate.cli.screen import Screen
from nucleate.cli.stores import embedder, library_reader, open_library_reader, open_to_look, queued
from nucleate.cli.tools import json_columns as tools_json
from nucleate.cli.tools import tools_view
from nucleate.cli.tools.tools_options import AsJson, Name, Scope, print_json
from nucleate_tool_library import LOADABLE, State

Version = Annotated[str | None, typer.Argument(help="A number, a release or the beginning of an id.")]
States = Annotated[list[State] | None, typer.Option("--state", help="Only these states; may be repeated.")]


def list_tools(
    context: typer.Context,
    scope: Scope = None,
    state: States = None,
    everything: Annotated[bool, typer.Option("--all", help="Archived tools too.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the tools with their state, release and uses."""
    with open_to_look(context) as run:
        library = library_reader(run)
        wanted = state or [item for item in State if everything or item is not State.ARCHIVED]
        items = library.listing(scope, wanted)
        archived = 0 if everything or state else len(library.listing(scope, [State.ARCHIVED]))
        waiting = queued(context, run)
    if as_json:
        print_json([tools_json.line(item) for item in items])
        return
    Screen().print(tools_view.tools(items))
    if archived:
        typer.echo(f"{archived} archived; --all lists them, and `nucleate tools revive NAME` brings one back", err=True)
    if waiting:
        typer.echo(waiting, err=True)


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What a tool should do, in words.", show_default=False)],
    scope: Scope = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Find tools by what they do: by their signatures and docstrings, never by their bodies."""
    from nucleate.manager.index import ToolIndex

    with open_library_reader(context) as library:
        tools = library.tools(scope, LOADABLE)
        lines = {item.version_id: item for item in library.listing(scope, LOADABLE)}
    found = ToolIndex(embedder(context)).search(query, [tool.version for tool in tools], limit=limit)
    scored = [(item.score, lines[item.version.id]) for item in found]
    if as_json:
        print_json([tools_json.line(item) | {"score": score} for score, item in scored])
    else:
        Screen().print(tools_view.found(scored))


def show(context: typer.Context, name: Name, scope: Scope = None, as_json: AsJson = False) -> None:
    """Show a tool: source, signature, evidence, closure, capabilities, and the verdict with every gate."""
    from nucleate.cli.tools import render

    with open_library_reader(context) as library:
        tool = library.tool(name, scope)
        closure = library.calls(tool.version.id)
        callers = library.callers(tool.name, tool.scope)
    if as_json:
        print_json(tools_json.tool(tool, closure, callers))
    else:
        Screen().print(render.tool_page(tool, closure, callers))


def source(
    context: typer.Context, name: Name, version: Version = None, scope: Scope = None, as_json: AsJson = False
) -> None:
    """Print a tool's source, as it is stored: of the version in force, or of another one."""
    with open_library_reader(context) as library:
        found = library.tool(name, scope).version if version is None else library.pick(name, version, scope)
    console = Screen()
    if as_json:
        print_json({"name": found.name, "scope": found.scope, "version": found.id, "source": found.source})
    elif console.is_terminal:
        from rich.syntax import Syntax

        console.print(Syntax(found.source, "python"))
    else:
        sys.stdout.write(found.source)


def diff(
    context: typer.Context,
    name: Name,
    before: Version = None,
    after: Version = None,
    scope: Scope = None,
    as_json: AsJson = False,
) -> None:
    """Show how two versions of a tool differ; without versions, the latest two. With one, that and the latest."""
    with open_library_reader(context) as library:
        found = library.diff(name, before, after, scope=scope)
    if as_json:
        print_json(tools_json.diff(found))
    else:
        Screen().print(tools_view.diff(found))


def history(context: typer.Context, name: Name, scope: Scope = None, as_json: AsJson = False) -> None:
    """Show what was done to a tool, by whom and why, the oldest first."""
    with open_library_reader(context) as library:
        tool, events = library.tool(name, scope), library.history(name, scope)
    if as_json:
        print_json([tools_json.event(item) for item in events])
    else:
        Screen().print(tools_view.history(tool.name, events))


def refused(context: typer.Context, scope: Scope = None, as_json: AsJson = False) -> None:
    """List what was not admitted, with the findings that refused it."""
    from nucleate.cli.tools import render
    from nucleate_codifier import Decision
    from nucleate_codifier.judgements import judged

    with open_to_look(context) as run:
        judgements = [item for item in judged(run, scope=scope) if item.decision is not Decision.ADMITTED]
    if as_json:
        print_json([render.refused_json(item) for item in judgements])
    else:
        Screen().print(render.refused_table(judgements))
