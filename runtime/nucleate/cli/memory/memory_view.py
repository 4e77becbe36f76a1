"""How entries and their events look: as JSON for programs, in lines and tables for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any

from rich.table import Table

from nucleate.cli.screen import Screen
from nucleate.shown.visible import json_text
from nucleate_text_memory import Entry, Event


def print_json(value: Any) -> None:
    """Write a value, dataclasses included, as indented JSON."""
    sys.stdout.write(json_text(plain(value)))


def plain(value: Any) -> Any:
    """Return the value in what JSON knows: moments as ISO text, dataclasses as objects."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


def print_entries(entries: Sequence[Entry], *, as_json: bool, extra: str = "") -> None:
    """Print entries as a table, or as JSON; `extra` names one more attribute to show."""
    if as_json:
        print_json(entries)
        return
    table = Table(title=f"{len(entries)} entries", title_justify="left")
    for column in ("id", "kind", "scope", "title", "tasks", "tools", *([extra.replace("_", " ")] if extra else [])):
        table.add_column(column, overflow="fold")
    for entry in entries:
        table.add_row(*_row(entry), *([str(getattr(entry, extra) or "")] if extra else []))
    Screen().print(table)


def print_entry(entry: Entry, *, as_json: bool) -> None:
    """Print one entry: what became of it, what it says, and when it holds."""
    if as_json:
        print_json(entry)
        return
    say(f"{entry.id}  {entry.kind}  {entry.scope}  {entry.status}")
    if entry.title:
        say(f"{entry.title}\n{entry.body}")
    say(f"holds {_period(entry.valid_from, entry.valid_to)}; believed {_period(entry.recorded_at, entry.retired_at)}")
    if entry.held_because and entry.status == "quarantined":
        say(f"held: {entry.held_because}; nucleate memory quarantine --release {entry.id} --by NAME --why TEXT")


def print_events(events: Iterable[Event], *, as_json: bool) -> None:
    """Print what was done, one line each."""
    if as_json:
        print_json(list(events))
        return
    for event in events:
        said = [event.at.isoformat(timespec="seconds"), event.action, event.entry_id, event.author, event.why]
        say("  ".join(part for part in said if part))


def say(text: str) -> None:
    """Print text as it is."""
    Screen(soft_wrap=True).print(text, markup=False, highlight=False)


def _row(entry: Entry) -> tuple[str, ...]:
    tasks = str(len({item.task_id for item in entry.evidence}))
    return entry.id, entry.kind.value, entry.scope, entry.title, tasks, ", ".join(entry.implements)


def _period(start: datetime | None, stop: datetime | None) -> str:
    begun = start.isoformat(timespec="seconds") if start else "always"
    return f"{begun} to {stop.isoformat(timespec='seconds')}" if stop else f"from {begun}"
