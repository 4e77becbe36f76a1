"""The memory commands that change something: add, revise, invalidate, restore, forget, and the way out and in."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from nucleate.cli.files import open_lines
from nucleate.cli.memory.memory_options import AsJson, Author, EntryId, OneScope, Reason, evidence, moment
from nucleate.cli.memory.memory_view import print_entries, print_entry, print_json, say
from nucleate.cli.stores import open_memory
from nucleate.errors import InputInvalid
from nucleate.shown.visible import visible
from nucleate_text_memory import Draft, Kind, content_from, drafted

Field = Annotated[
    list[str],
    typer.Argument(
        help="name=value pairs. fact: subject, predicate, value. pitfall: trigger, mistake, consequence. "
        "plan: trigger, step (once for each), verification, boundary."
    ),
]
Source = Annotated[str, typer.Option(help="Who vouches: user, user:NAME, environment:…, agent:…, tool:….")]
Since = Annotated[str | None, typer.Option("--valid-from", help="Since when it is true; from now on, if not given.")]
Until = Annotated[str | None, typer.Option("--valid-to", help="Until when it is true; open, if not given.")]
Seen = Annotated[
    list[str] | None, typer.Option("--evidence", help="Where it was seen, as TASK:START:STOP; repeatable.")
]


def add(
    context: typer.Context,
    kind: Kind,
    fields: Field,
    scope: Annotated[str, typer.Option(help="The environment, or ENVIRONMENT?user=…&project=…&organisation=….")],
    source: Source = "user",
    valid_from: Since = None,
    valid_to: Until = None,
    seen: Seen = None,
    by: Author = "",
    why: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Add an entry; a fact takes the place of another value of the same subject and predicate where both hold."""
    draft = _draft(kind, fields, scope, source, seen)
    start, stop = moment("--valid-from", valid_from), moment("--valid-to", valid_to)
    with open_memory(context, make=True) as memory:
        told = replace(draft, valid_from=start, valid_to=stop)
        print_entry(memory.add(told, by=by, why=why), as_json=as_json)


def revise(
    context: typer.Context,
    entry_id: EntryId,
    fields: Field,
    why: Reason,
    source: Source = "user",
    valid_from: Since = None,
    valid_to: Until = None,
    by: Author = "",
    as_json: AsJson = False,
) -> None:
    """Put a corrected entry in the place of one that was wrong; the old one stays readable."""
    with open_memory(context, looks=False) as memory:
        old = memory.entry(entry_id)
        draft = _draft(old.kind, fields, old.scope, source, None)
        start, stop = moment("--valid-from", valid_from), moment("--valid-to", valid_to)
        told = replace(draft, valid_from=start or old.valid_from, valid_to=stop or old.valid_to)
        print_entry(memory.revise(entry_id, told, by=by, why=why), as_json=as_json)


def invalidate(
    context: typer.Context, entry_id: EntryId, why: Reason, by: Author = "", as_json: AsJson = False
) -> None:
    """Let an entry guide nobody any more; it stays readable, with the reason."""
    with open_memory(context, looks=False) as memory:
        print_entry(memory.invalidate(entry_id, why=why, by=by), as_json=as_json)


def restore(context: typer.Context, entry_id: EntryId, why: Reason, by: Author = "", as_json: AsJson = False) -> None:
    """Bring back an entry that was invalidated or superseded."""
    with open_memory(context, looks=False) as memory:
        print_entry(memory.restore(entry_id, why=why, by=by), as_json=as_json)


def forget(context: typer.Context, entry_id: EntryId, why: Reason, by: Author = "", as_json: AsJson = False) -> None:
    """Delete what an entry and its other versions say, for good; a stub without content stays for the audit."""
    with open_memory(context, looks=False) as memory:
        ids = memory.forget(entry_id, why=why, by=by)
        if as_json:
            print_json({"forgotten": ids})
        else:
            say("forgotten: " + ", ".join(ids))


def export(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to write; standard output, if not given.")] = None,
    scope: OneScope = None,
    as_json: AsJson = False,
) -> None:
    """Write every entry, with its versions and events, as JSON Lines."""
    with open_memory(context) as memory:
        lines = memory.export(scope)
    text = "".join(f"{line}\n" for line in lines)
    if file is None:
        sys.stdout.write(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputInvalid(f"the file {str(file)!r} cannot be written ({error.strerror}); choose another") from error
    _count({"exported": len(lines)}, as_json)


def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="JSON Lines that `export` wrote.")],
    as_json: AsJson = False,
) -> None:
    """Add exported entries that are not here yet; exit code 1 if a line was refused."""
    with open_lines(file) as lines, open_memory(context, make=True) as memory:
        imported = memory.import_lines(lines)
    _count({"added": len(imported.added), "known": imported.known, "refused": len(imported.bad)}, as_json)
    for bad in imported.bad:
        typer.echo(visible(f"line {bad.number}: {bad.message}"), err=True)
    if imported.bad:
        sys.exit(1)


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


def reindex(context: typer.Context, as_json: AsJson = False) -> None:
    """Embed every valid entry anew: after a change of the embedding model."""
    with open_memory(context, looks=False) as memory:
        count = memory.reindex()
        if as_json:
            print_json({"reindexed": count})
        else:
            say(f"{count} entries embedded anew")


def _draft(kind: Kind, fields: list[str], scope: str, source: str, seen: list[str] | None) -> Draft:
    values: dict[str, Any] = {}
    for word in fields:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputInvalid(f"{word!r} is not name=value; write subject=…, trigger=…, step=… and so on")
        if name == "step":
            values.setdefault("steps", []).append(value)
        elif name in values:
            raise InputInvalid(f"{word!r} gives {name!r} a second time; give it once")
        else:
            values[name] = value
    try:
        content = content_from(kind, values)
    except ValueError as error:
        raise InputInvalid(str(error)) from error
    return replace(drafted(content, scope=scope, source=source), evidence=evidence(seen or []))


def _count(counts: dict[str, int], as_json: bool) -> None:
    if as_json:
        print_json(counts)
    else:
        say(", ".join(f"{count} {name}" for name, count in counts.items()))
