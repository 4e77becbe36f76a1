"""`nucleate tools` verbs that change a tool: each shows what would happen, and to whom, before it does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Annotated

import typer

from nucleate.cli.screen import Screen
from nucleate.cli.stores import open_library
from nucleate.cli.tools import json_columns as tools_json
from nucleate.cli.tools import tools_view
from nucleate.cli.tools.tools_options import AsJson, By, Name, Scope, Why, Yes, person, print_json
from nucleate.errors import InputInvalid
from nucleate_tool_library import Change, ToolLibrary

Make = Callable[[ToolLibrary], Change]
Remove = Annotated[bool, typer.Option("--remove", help="Take it away again.")]


def pin(
    context: typer.Context,
    name: Name,
    why: Why,
    scope: Scope = None,
    remove: Remove = False,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Keep a tool as it is: nothing replaces, relinks, renames, merges or archives it."""

    def make(library: ToolLibrary) -> Change:
        verb = library.unpin if remove else library.pin
        return verb(name, scope, by=person(by), why=why)

    change(context, make, yes=yes, as_json=as_json)


def rename(
    context: typer.Context,
    name: Name,
    to: Annotated[str, typer.Argument(help="The new name.", show_default=False)],
    why: Why,
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Give a tool another name, also in the source of those that call it; the old name leads on."""
    change(
        context, lambda library: library.rename(name, scope, to=to, by=person(by), why=why), yes=yes, as_json=as_json
    )


def alias(
    context: typer.Context,
    alias: Annotated[str, typer.Argument(help="The other name.", show_default=False)],
    why: Why,
    to: Annotated[str | None, typer.Option(help="The tool that it leads to.")] = None,
    scope: Scope = None,
    remove: Remove = False,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Let one more name lead to a tool."""
    if remove == (to is not None):
        raise InputInvalid(f"the alias {alias!r} needs one of --to NAME and --remove")

    def make(library: ToolLibrary) -> Change:
        if to is None:
            return library.unalias(alias, scope, by=person(by), why=why)
        return library.alias(alias, scope, to=to, by=person(by), why=why)

    change(context, make, yes=yes, as_json=as_json)


def merge(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The tool that ends; none lists near-duplicates.")] = None,
    into: Annotated[str, typer.Option(help="The tool that stands for both.")] = "",
    why: Annotated[str, typer.Option(help="The reason; it is kept in both histories.")] = "",
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Let one tool stand for two; without a name, list the pairs whose descriptions say nearly the same."""
    if name is None:
        with open_library(context, looks=False) as library:
            pairs = library.similar(scope)
        if as_json:
            print_json([tools_json.pair(item) for item in pairs])
        else:
            Screen().print(tools_view.pairs(pairs))
        return
    if not into or not why:
        raise InputInvalid(f"merging {name!r} needs --into NAME and --why TEXT")
    change(
        context, lambda library: library.merge(name, scope, into=into, by=person(by), why=why), yes=yes, as_json=as_json
    )


def split(
    context: typer.Context,
    name: Name,
    parts: Annotated[list[str], typer.Argument(help="The tools that take its place; they are in the library.")],
    why: Why,
    lead_to: Annotated[str | None, typer.Option(help="The part that the old name leads to.")] = None,
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Put several tools of the library in the place of one, which is deprecated while it is called."""

    def make(library: ToolLibrary) -> Change:
        where = library.tool(name, scope).scope
        versions = [library.tool(part, where).version for part in parts]
        return library.split(name, where, into=versions, lead_to=lead_to, by=person(by), why=why)

    change(context, make, yes=yes, as_json=as_json)


def archive(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The tool; none with --unused.")] = None,
    why: Annotated[str, typer.Option(help="The reason; it is kept in the tool's history.")] = "",
    unused: Annotated[
        bool, typer.Option("--unused", help="Every tool that was never called, and had its time.")
    ] = False,
    days: Annotated[int, typer.Option(min=1, help="With --unused: tools younger than this stay.")] = 30,
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take tools that nobody calls out of the lists; they can be revived."""
    if unused == (name is not None) or not (why or unused):
        raise InputInvalid(f"archiving needs NAME with --why TEXT, or --unused; given were {name!r} and {why!r}")
    if name is not None:
        change(context, _archiving(name, scope, person(by), why), yes=yes, as_json=as_json)
        return
    with open_library(context, looks=False) as library:
        found = library.unused(scope, for_at_least=timedelta(days=days))
    reason = why or f"never used in {days} days"
    changes(
        context, [_archiving(item.name, item.scope, person(by), reason) for item in found], yes=yes, as_json=as_json
    )


def revive(
    context: typer.Context,
    name: Name,
    why: Why,
    scope: Scope = None,
    by: By = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Bring an archived tool back as a candidate, with everything that was known of it."""
    change(context, lambda library: library.revive(name, scope, by=person(by), why=why), yes=yes, as_json=as_json)


def change(context: typer.Context, make: Make, *, yes: bool, as_json: bool) -> None:
    """Show a change; make it if that is wanted. Exit code 1 says that nothing was changed."""
    with open_library(context, looks=False) as library:
        planned = make(library.preview())
        wanted = yes or (not as_json and _agreed([planned]))
        done = make(library) if wanted else planned
    if as_json:
        print_json(tools_json.change(done, made=wanted))
    _ended([done], wanted=wanted, said=as_json or not yes)


def changes(context: typer.Context, makes: Sequence[Make], *, yes: bool, as_json: bool) -> None:
    """Do the same with several changes, all wanted or none."""
    with open_library(context, looks=False) as library:
        planned = [make(library.preview()) for make in makes]
        wanted = bool(planned) and (yes or (not as_json and _agreed(planned)))
        done = [make(library) for make in makes] if wanted else planned
    if as_json:
        print_json([tools_json.change(item, made=wanted) for item in done])
    _ended(done, wanted=wanted, said=as_json or not yes)


def _ended(done: Sequence[Change], *, wanted: bool, said: bool) -> None:
    """Show what was made, where that was not shown before it was agreed to; or end with exit code 1."""
    for item in () if said else done:
        Screen().print(tools_view.change(item, made=True))
    if done and not wanted:
        Screen(stderr=True).print("nothing was changed; --yes makes the change", highlight=False)
        sys.exit(1)
    if not done:
        Screen(stderr=True).print("nothing to change", highlight=False)


def _agreed(planned: Sequence[Change]) -> bool:
    """Show what would happen, and ask where a terminal shows it to somebody."""
    for item in planned:
        Screen().print(tools_view.change(item, made=False))
    return bool(planned) and sys.stdin.isatty() and sys.stdout.isatty() and typer.confirm("Make this change?")


def _archiving(name: str, scope: str | None, by: str, why: str) -> Make:
    return lambda library: library.archive(name, scope, by=by, why=why)
