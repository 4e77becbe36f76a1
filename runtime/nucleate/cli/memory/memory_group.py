"""`nucleate memory`: what was learned and told, looked at."""

from __future__ import annotations

from typing import Annotated, cast

import typer
from sqlalchemy import Engine

from nucleate.cli.choices import Choices
from nucleate.cli.memory import write as memory_write
from nucleate.cli.memory.memory_options import AsJson, EntryId, Moment, OneScope, Reason, moment
from nucleate.cli.memory.memory_view import print_entries, print_entry, print_events, print_json, say
from nucleate.cli.screen import Screen
from nucleate.cli.stores import open_engine, open_memory
from nucleate.errors import InputInvalid
from nucleate_codifier import Recurrence
from nucleate_text_memory import Kind, TextMemory

app = typer.Typer(help="Plans, facts and pitfalls: look, add, correct, forget.", no_args_is_help=True)
memory_write.register(app)


@app.command("list")
def list_entries(
    context: typer.Context,
    scope: OneScope = None,
    kind: Annotated[Kind | None, typer.Option(help="One kind only.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also what is no longer, or not yet, in force.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the entries in force."""
    with open_memory(context) as memory:
        entries = memory.entries(scope=scope, kind=kind, valid_only=not all_)
        print_entries(entries, as_json=as_json, extra="status" if all_ else "")


@app.command()
def show(context: typer.Context, entry_id: EntryId, as_json: AsJson = False) -> None:
    """Show one entry with its evidence."""
    with open_engine(context) as engine:
        entry = TextMemory(engine).entry(entry_id)
        print_entry(entry, as_json=as_json)
        if as_json:
            return
        say(f"{entry.trust}, confidence {entry.confidence:.2f}, sources: {', '.join(entry.sources)}")
        say("evidence: " + (", ".join(f"{e.task_id}[{e.start}:{e.stop}]" for e in entry.evidence) or "none"))
        if entry.kind is Kind.PLAN:
            buffer = _recurrence(context, engine).buffer(entry.id)
            say(f"B(p) {len(buffer.candidates)} of {buffer.threshold}, R(p) {len(buffer.related)}")
            say(f"tools: {', '.join(entry.implements) or 'none yet'}")


@app.command()
def search(
    context: typer.Context,
    query: str,
    scope: Annotated[str, typer.Option(help="Who asks where: the environment, or a narrower scope.")],
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 8,
    as_json: AsJson = False,
) -> None:
    """Find the entries that fit a task."""
    with open_memory(context) as memory:
        found = memory.select(query, scope=scope, limit=limit)
        if as_json:
            print_json(found)
        for item in () if as_json else found:
            say(f"{item.score:.3f}  {item.entry.kind.value:8} {item.entry.id}  {item.entry.title}")


@app.command()
def history(context: typer.Context, entry_id: EntryId, as_json: AsJson = False) -> None:
    """Show what was done to an entry and to its other versions, by whom and why."""
    with open_memory(context) as memory:
        print_events(memory.history(entry_id), as_json=as_json)


@app.command()
def diff(context: typer.Context, before: EntryId, after: EntryId, as_json: AsJson = False) -> None:
    """Show the fields in which two entries differ."""
    with open_memory(context) as memory:
        differences = memory.diff(before, after)
        if as_json:
            print_json(differences)
        for one in () if as_json else differences:
            say(f"{one.field}\n- {one.before}\n+ {one.after}")


@app.command("as-of")
def as_of(
    context: typer.Context,
    scope: Annotated[str, typer.Option(help="Who asks where: the environment, or a narrower scope.")],
    valid: Moment = None,
    known: Annotated[str | None, typer.Option(help="As far as was known then; now, if not given.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="One kind only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what was true at one moment, as far as it was known at another."""
    with open_memory(context) as memory:
        found = memory.as_of(scope, valid=moment("--valid", valid), known=moment("--known", known), kind=kind)
        if as_json:
            print_json(found)
        for entry in () if as_json else found:
            say(f"{entry.id}  {entry.body}")


@app.command()
def stats(context: typer.Context, as_json: AsJson = False) -> None:
    """Count trajectories and entries, by kind and by status."""
    with open_memory(context) as memory:
        counted = memory.stats()
        if as_json:
            print_json(counted)
        for name, count in () if as_json else counted.items():
            say(f"{count:8}  {name}")


@app.command()
def quarantine(
    context: typer.Context,
    scope: OneScope = None,
    release: Annotated[str | None, typer.Option(help="Let this entry guide; you vouch for it.")] = None,
    reject: Annotated[str | None, typer.Option(help="Refuse this entry for good.")] = None,
    by: Annotated[str, typer.Option(help="Who decides.")] = "",
    why: Reason = "",
    as_json: AsJson = False,
) -> None:
    """List what waits for an independent source, with the reason; release or reject it."""
    with open_memory(context, looks=False) as memory:
        if release and reject:
            raise InputInvalid(
                f"--release {release!r} and --reject {reject!r} exclude each other; decide one at a time"
            )
        if release:
            print_entry(memory.release(release, by=by, why=why), as_json=as_json)
        elif reject:
            print_entry(memory.reject(reject, by=by, why=why), as_json=as_json)
        else:
            print_entries(memory.quarantine(scope), as_json=as_json, extra="held_because")


@app.command()
def reindex(context: typer.Context, as_json: AsJson = False) -> None:
    """Embed every valid entry anew: after a change of the embedding model."""
    with open_memory(context, looks=False) as memory:
        count = memory.reindex()
        if as_json:
            print_json({"reindexed": count})
        else:
            Screen().print(f"{count} entries embedded anew")


def _recurrence(context: typer.Context, engine: Engine) -> Recurrence:
    from nucleate.modes import theta_of  # which brings the executor along

    settings = cast("Choices", context.obj).settings()
    return Recurrence(engine, theta=theta_of(settings), beta=settings.beta)
