"""`nucleate tools` verbs of the release cycle: verify, promote, demote, rollback, health."""

from __future__ import annotations

import sys
from typing import Annotated, cast

import typer

from nucleate.calling_places import environment_for
from nucleate.cli.choices import Choices
from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.cli.tools import release_view
from nucleate.cli.tools.change import change
from nucleate.cli.tools.tools_options import AsJson, By, Name, Scope, Why, Yes, person, print_json
from nucleate.runtime import Runtime
from nucleate_tool_library import State, Tool

Place = Annotated[str | None, typer.Option(help="MODULE:NAME of the environment as it is now, or a name that it has.")]
UNSETTLED = frozenset({"archived", "waits", "pinned"})


def verify(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="The tools; all of them, if none is named.")] = None,
    scope: Scope = None,
    environment: Place = None,
    as_json: AsJson = False,
) -> None:
    """Judge tools again that are suspect, or whose environment functions changed.

    A tool that passes goes back into service; another is rebuilt from its plan, or archived with its dependents
    listed. Exit code 1 if one was archived, or waits for its environment or for a person.
    """
    with _open(context) as runtime:
        if environment is not None or scope == "shop":
            runtime.attach(environment_for(runtime, scope or "", target=environment, task=None))
        found = runtime.releases.verify(names or (), scope=scope)
    shown = [item for item in found if names or item.result != "unchanged"]
    if as_json:
        print_json([release_view.verified_json(item) for item in shown])
    elif shown:
        Screen().print(release_view.verified(shown))
    else:
        Screen().print(f"{len(found)} tools, none suspect, and no function that they call has changed")
    if any(item.result in UNSETTLED for item in found):
        sys.exit(1)


def promote(
    context: typer.Context, name: Name, why: Why, scope: Scope = None, by: By = None, as_json: AsJson = False
) -> None:
    """Put the version on trial, or a tool that is out of service, into service on a person's word."""
    with _open(context) as runtime:
        tool = runtime.releases.promote(name, scope=scope, by=person(by), why=why)
    _say(tool, as_json=as_json)


def demote(
    context: typer.Context,
    name: Name,
    why: Why,
    scope: Scope = None,
    to: Annotated[
        State | None, typer.Option(help="The state; without it a canary is withdrawn, or the tool deprecated.")
    ] = None,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw the version on trial, or take a tool out of service, on a person's word."""
    with _open(context) as runtime:
        tool = runtime.releases.demote(name, scope=scope, by=person(by), why=why, to=to)
    _say(tool, as_json=as_json)


def rollback(
    context: typer.Context,
    name: Name,
    why: Why,
    to: Annotated[str, typer.Option(help="The version: its number, its release or how its id begins.")],
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Put an earlier version in force again, as a new version: a forward step."""
    change(
        context, lambda library: library.rollback(name, scope, to=to, by=person(by), why=why), yes=yes, as_json=as_json
    )


def health(
    context: typer.Context,
    scope: Scope = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Run near-duplicates side by side, and propose what may be merged.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show how much the library is used, how far each tool can be relied on, and what is on trial or suspect."""
    with _open(context) as runtime:
        report = runtime.releases.health(scope)
        proposals = runtime.releases.proposals(scope) if compare else ()
    if as_json:
        print_json(release_view.health_json(report, proposals))
    else:
        Screen().print(release_view.health(report, proposals))


def audit(context: typer.Context, scope: Scope = None, as_json: AsJson = False) -> None:
    """Hold the tools in use against all stored runs: which do judged runs contradict? Exit code 1 if any is."""
    with _open(context) as runtime:
        found = runtime.releases.audit(scope)
    if as_json:
        print_json(release_view.audit_json(found))
    else:
        Screen().print(release_view.audit(found))
    if any(item.groups for item in found):
        raise typer.Exit(1)


def _open(context: typer.Context) -> Runtime:
    """Open the runtime without a worker of its own: what these commands do, they do themselves."""
    context.obj = Choices({**cast("Choices", context.obj).given, "worker": "off"})
    return open_runtime(context, must_exist=True)


def _say(tool: Tool, *, as_json: bool) -> None:
    if as_json:
        print_json(release_view.released_json(tool))
    else:
        Screen().print(f"{tool.name} is {tool.state} at {tool.release} (version {tool.number})", highlight=False)
