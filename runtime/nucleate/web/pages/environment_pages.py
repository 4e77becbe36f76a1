"""Environments: their functions with schemas and effects, what calls have shown of them, and how they changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from nucleate.environments.function_changes import difference
from nucleate.environments.known_environments import KnownEnvironments
from nucleate.environments.scopes import Scopes
from nucleate.web.known_errors import message_of
from nucleate.web.reads import drift_rows
from nucleate.web.telling import WebWork
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_text_memory.notes import note_text

PER_PAGE = 60


def environments(visit: PageVisit) -> Response:
    """Show the environments that are known."""
    known, effects = KnownEnvironments(visit.site.engine).all(), visit.site.effects()
    return visit.page(
        "environments.html",
        lines=[(name, known.get(name), effects.get(name, {})) for name in sorted({*known, *effects})],
        approvals=drift_rows.approvals(visit.site.engine),
    )


def environment(visit: PageVisit) -> Response:
    """Show the functions of one environment, one page at a time."""
    name, scopes = visit.part("name"), Scopes(visit.site.engine)
    if not scopes.knows(name):
        raise NothingThere(f"no environment {name!r} is known")
    functions = scopes.view(name).functions
    words = visit.asked("q")[:200].lower().split()
    found = [f for f in functions.values() if all(word in f"{f.name} {f.doc}".lower() for word in words)]
    page = visit.count("page", most=1_000)
    shown = found[page * PER_PAGE : (page + 1) * PER_PAGE]
    notes = visit.site.memory.notes(name)
    return visit.page(
        "environment.html",
        name=name,
        functions=[
            (spec, note_text(spec.name, notes), notes[spec.name].calls if spec.name in notes else 0) for spec in shown
        ],
        count=len(found),
        number=page,
        pages=-(-len(found) // PER_PAGE),
        words=visit.asked("q"),
        known=KnownEnvironments(visit.site.engine).all().get(name),
        seen=drift_rows.seen_at(visit.site.engine, name),
        drifts=drift_rows.drifts(visit.site.engine, name),
    )


def drift(visit: PageVisit) -> Response:
    """Compare an environment as it is with what was last seen of it; remember what there is now if asked to."""
    name, accept = visit.part("name"), visit.given("accept") == "yes"

    def work(_work: WebWork) -> Mapping[str, Any]:
        runtime = visit.site.runtime()
        before = runtime.scopes.view(name).functions
        place = visit.site.environment(name)
        found = difference(name, before, place.functions)
        if accept and found:
            runtime.attach(place)
        return {"kind": "drift", "drift": found, "accepted": accept and bool(found), "count": len(place.functions)}

    title = f"Drift of {name}"
    begun = visit.site.told.begin(title, f"/environments/{name}", work, message_of)
    return visit.back_to(f"/begun/{begun.id}")
