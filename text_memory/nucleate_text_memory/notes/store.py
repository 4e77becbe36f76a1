"""Notes in the database: one row for each function of a scope, rewritten by every run that called it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from nucleate_text_memory.identity import input_key
from nucleate_text_memory.notes.function_notes import FunctionNotes, observe
from nucleate_text_memory.tables import NOTES
from nucleate_text_memory.values import Trajectory


def observe_stored(connection: Connection, trajectory: Trajectory) -> None:
    """Add what a run shows to the stored notes; once a run, since what is counted twice weighs twice."""
    called = sorted({step.function for step in trajectory.steps})
    notes = dict(read(connection, trajectory.environment, called))
    observe(notes, trajectory, trajectory.group or input_key(trajectory.query))
    of_scope = NOTES.c.scope == trajectory.environment
    connection.execute(delete(NOTES).where(of_scope, NOTES.c.function.in_(sorted(notes))))
    rows = [{"scope": trajectory.environment, "function": name, "body": _dump(one)} for name, one in notes.items()]
    if rows:
        connection.execute(insert(NOTES), rows)


def read(connection: Connection, scope: str, functions: Iterable[str] | None = None) -> dict[str, FunctionNotes]:
    """Return the notes of a scope's functions, or of those named."""
    wanted = [NOTES.c.scope == scope, *([] if functions is None else [NOTES.c.function.in_(list(functions))])]
    found = connection.execute(select(NOTES.c.function, NOTES.c.body).where(*wanted).order_by(NOTES.c.function))
    return {row.function: FunctionNotes(json.loads(row.body)) for row in found}


def _dump(notes: FunctionNotes) -> str:
    return json.dumps(notes.to_json(), ensure_ascii=False)
