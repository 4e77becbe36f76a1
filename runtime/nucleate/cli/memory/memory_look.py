"""`nucleate memory`: what was learned and told, looked at."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from nucleate.cli.choices import Choices
from nucleate.cli.memory.memory_options import AsJson, EntryId, Moment, OneScope, moment
from nucleate.cli.memory.memory_view import print_entries, print_entry, print_events, print_json, say
from nucleate.cli.stores import open_reader, open_to_look, reader
from nucleate.settings.defaults import BETA, THETA
from nucleate_codifier.buffers import Buffer, buffer_of
from nucleate_text_memory import Entry, Kind
from nucleate_tool_library import StatementRunner


def list_entries(
    context: typer.Context,
    scope: OneScope = None,
    kind: Annotated[Kind | None, typer.Option(help="One kind only.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also what is no longer, or not yet, in force.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the entries in force."""
    with open_reader(context) as memory:
        entries = memory.entries(scope=scope, kind=kind, valid_only=not all_)
        print_entries(entries, as_json=as_json, extra="status" if all_ else "")


def show(context: typer.Context, entry_id: EntryId, as_json: AsJson = False) -> None:
    """Show one entry with its evidence."""
    with open_to_look(context) as run:
        entry = reader(context, run).entry(entry_id)
        buffer = _buffer(context, run, entry) if entry.kind is Kind.PLAN and not as_json else None
    print_entry(entry, as_json=as_json)
    if as_json:
        return
    say(f"{entry.trust}, confidence {entry.confidence:.2f}, sources: {', '.join(entry.sources)}")
    say("evidence: " + (", ".join(f"{e.task_id}[{e.start}:{e.stop}]" for e in entry.evidence) or "none"))
    if buffer is not None:
        say(f"B(p) {len(buffer.candidates)} of {buffer.threshold}, R(p) {len(buffer.related)}")
        say(f"tools: {', '.join(entry.implements) or 'none yet'}")


def search(
    context: typer.Context,
    query: str,
    scope: Annotated[str, typer.Option(help="Who asks where: the environment, or a narrower scope.")],
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Find the entries that fit a task."""
    with open_reader(context) as memory:
        found = memory.select(query, scope=scope, limit=limit)
        if as_json:
            print_json(found)
        for item in () if as_json else found:
            say(f"{item.score:.3f}  {item.entry.kind.value:8} {item.entry.id}  {item.entry.title}")


def history(context: typer.Context, entry_id: EntryId, as_json: AsJson = False) -> None:
    """Show what was done to an entry and to its other versions, by whom and why."""
    with open_reader(context) as memory:
        print_events(memory.history(entry_id), as_json=as_json)


def diff(context: typer.Context, before: EntryId, after: EntryId, as_json: AsJson = False) -> None:
    """Show the fields in which two entries differ."""
    with open_reader(context) as memory:
        differences = memory.diff(before, after)
        if as_json:
            print_json(differences)
        for one in () if as_json else differences:
            say(f"{one.field}\n- {one.before}\n+ {one.after}")


def as_of(
    context: typer.Context,
    scope: Annotated[str, typer.Option(help="Who asks where: the environment, or a narrower scope.")],
    valid: Moment = None,
    known: Annotated[str | None, typer.Option(help="As far as was known then; now, if not given.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="One kind only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what was true at one moment, as far as it was known at another."""
    with open_reader(context) as memory:
        found = memory.as_of(scope, valid=moment("--valid", valid), known=moment("--known", known), kind=kind)
        if as_json:
            print_json(found)
        for entry in () if as_json else found:
            say(f"{entry.id}  {entry.body}")


def stats(context: typer.Context, as_json: AsJson = False) -> None:
    """Count trajectories and entries, by kind and by status."""
    with open_reader(context) as memory:
        counted = memory.stats()
        if as_json:
            print_json(counted)
        for name, count in () if as_json else counted.items():
            say(f"{count:8}  {name}")


def _buffer(context: typer.Context, run: StatementRunner, plan: Entry) -> Buffer:
    theta, beta = THETA, BETA
    choices = cast("Choices", context.obj)
    if choices.configured():
        from nucleate.modes import theta_of  # which brings the executor along

        settings = choices.settings()
        theta, beta = theta_of(settings), settings.beta
    return buffer_of(run, plan.id, theta=theta, beta=beta)
