"""Plans, facts and pitfalls: as a list, as of a moment, and one entry's life on both time axes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.responses import Response

from nucleate.modes import theta_of
from nucleate.web.reads import entry_rows
from nucleate.web.timelines import Life, lives
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_text_memory import Entry, EntryStatus, Kind, UnknownEntry

MOST_AS_OF = 100


def memory(visit: PageVisit) -> Response:
    """Show one page of entries, the newest first."""
    words = visit.asked("q")[:200]
    status = visit.asked("status", "active")
    wanted = entry_rows.EntryFilter(
        positions=visit.site.entry_titles.search(words) if words.strip() else None,
        scope=visit.asked("scope"),
        kind=visit.asked("kind"),
        status="" if status == "all" else status,
        before=visit.count("before"),
    )
    found = entry_rows.entries(visit.site.engine, wanted, limit=entry_rows.PER_PAGE + 1)
    lines, more = found[: entry_rows.PER_PAGE], len(found) > entry_rows.PER_PAGE
    plans = [line.id for line in lines if line.kind == "plan"]
    return visit.page(
        "memory.html",
        lines=lines,
        more=lines[-1].position if more else 0,
        words=words,
        status=status,
        asked={name: visit.asked(name) for name in ("scope", "kind")},
        kinds=[kind.value for kind in Kind],
        every=[status.value for status in EntryStatus],
        statuses=visit.site.statuses(),
        scopes=visit.site.scopes(),
        filled=entry_rows.fillings(visit.site.engine, plans, theta=theta_of(visit.site.settings)),
    )


def as_of(visit: PageVisit) -> Response:
    """Show what was true at one moment, as far as it was known at another: each is a place on a slider."""
    scopes, span = visit.site.scopes(), entry_rows.span(visit.site.engine)
    scope = visit.asked("scope") or (scopes[0] if scopes else "")
    steps = {name: visit.count(name, 100, most=100) for name in ("valid", "known")}
    moments = {name: _moment(span, step) for name, step in steps.items()}
    kind = visit.asked("kind")
    found = (
        entry_rows.as_of(
            visit.site.engine, scope, valid=moments["valid"], known=moments["known"], kind=kind, limit=MOST_AS_OF
        )
        if scope and span
        else []
    )
    return visit.page(
        "as_of.html", lines=found, scope=scope, scopes=scopes, kind=kind, kinds=[item.value for item in Kind],
        steps=steps, moments=moments, span=span, most=MOST_AS_OF,
    )  # fmt: skip


def entry(visit: PageVisit) -> Response:
    """Show one entry: what it says, its life, its evidence, what replaced it, and how full its buffer is."""
    found = found_entry(visit)
    lineage, events = lineage_of(visit, found)
    filled = entry_rows.fillings(visit.site.engine, [found.id], theta=theta_of(visit.site.settings))
    return visit.page(
        "entry.html",
        entry=found,
        life=_life(lineage),
        lineage=lineage,
        events=events[-200:],
        replaced_by=[other for other in lineage if found.id in other.supersedes],
        filled=filled[found.id] if found.kind is Kind.PLAN else None,
        content=_content(found),
    )


def found_entry(visit: PageVisit) -> Entry:
    """Return the entry that the address names."""
    try:
        return visit.site.memory.entry(visit.part("id"))
    except UnknownEntry as error:
        raise NothingThere(str(error)) from error


def lineage_of(visit: PageVisit, found: Entry) -> tuple[list[Entry], list[Any]]:
    """Return the versions of an entry, the oldest first, and what was done to them."""
    events = visit.site.memory.history(found.id)
    ids = list(dict.fromkeys([found.id, *(event.entry_id for event in events)]))[:40]
    entries = [found if id_ == found.id else visit.site.memory.entry(id_) for id_ in ids]
    return sorted(entries, key=lambda item: item.recorded_at or datetime.min.replace(tzinfo=UTC)), events


def _life(lineage: list[Entry]) -> Life:
    return lives([(item.id, item.recorded_at, item.retired_at, item.valid_from, item.valid_to) for item in lineage])


def _content(found: Entry) -> list[tuple[str, str]]:
    if found.content is None:
        return []
    names = found.content.__dataclass_fields__
    values = ((name, getattr(found.content, name)) for name in names)
    return [(name, "\n".join(value) if isinstance(value, tuple) else value) for name, value in values]


def _moment(span: tuple[datetime, datetime] | None, step: int) -> datetime:
    """Return the moment at a place on the slider, from 0 to 100; 100 is now."""
    now = datetime.now(UTC)
    if span is None or step >= 100:
        return now
    first = span[0] - timedelta(seconds=1)
    return first + (now - first) * (step / 100)
