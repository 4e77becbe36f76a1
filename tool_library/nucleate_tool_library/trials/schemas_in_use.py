"""The schema hashes of versions in use: read without their bodies, and renewed when a version was judged again."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Engine, update
from sqlmodel import Session, col, select

from nucleate_tool_library import storing
from nucleate_tool_library.tables import CapabilityRow, ToolRow, ToolVersionRow
from nucleate_tool_library.values import JsonObject, State


@dataclass(frozen=True, kw_only=True)
class Rests:
    """What a tool's version in force rests on: the functions that it calls, and their hashes when it was judged.

    A version of a database from before there were hashes has none.
    """

    name: str
    functions: tuple[str, ...]
    hashes: JsonObject


class SchemasInUse:
    """Schema hashes in one database; they are no part of a version's content."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def stamp(self, version_id: str, hashes: JsonObject) -> None:
        """Keep with a version the hashes against which it was judged last."""
        with Session(self._engine) as session, session.begin():
            changed = update(ToolVersionRow).where(col(ToolVersionRow.id) == version_id)
            session.execute(changed.values(schemas=storing.text_of(hashes)))

    def rests(self, scope: str, states: Collection[State]) -> tuple[Rests, ...]:
        """Return what the tools of a scope in these states rest on, by name."""
        in_use = (ToolRow.scope == scope, col(ToolRow.state).in_([state.value for state in states]))
        hashed = select(ToolRow.name, ToolVersionRow.id, ToolVersionRow.schemas).join(ToolVersionRow)
        called = select(CapabilityRow.version_id, CapabilityRow.function).join(
            ToolRow, col(ToolRow.version_id) == col(CapabilityRow.version_id)
        )
        with Session(self._engine) as session:
            found = session.exec(hashed.where(*in_use).order_by(col(ToolRow.name))).all()
            functions: dict[str, list[str]] = {}
            for version_id, function in session.exec(called.where(*in_use)).all():
                functions.setdefault(version_id, []).append(function)
        return tuple(
            Rests(name=name, functions=tuple(functions.get(key, ())), hashes=json.loads(schemas))
            for name, key, schemas in found
        )
