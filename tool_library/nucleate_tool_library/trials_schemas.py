"""Renews the schema hashes of a version that was judged again: they are no part of its content."""

from __future__ import annotations

from sqlalchemy import Engine, update
from sqlmodel import Session, col

from nucleate_tool_library import rows
from nucleate_tool_library.tables import ToolVersionRow
from nucleate_tool_library.values import JsonObject


def stamp_schemas(engine: Engine, version_id: str, schemas: JsonObject) -> None:
    """Keep with a version the hashes against which it was judged last."""
    with Session(engine) as session, session.begin():
        changed = update(ToolVersionRow).where(col(ToolVersionRow.id) == version_id)
        session.execute(changed.values(schemas=rows.text_of(schemas)))
