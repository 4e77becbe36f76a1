"""Environments that were added by name: how they are reached is stored, and they are opened when they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, delete
from sqlmodel import Session, col, select

from nucleate.environments.connections import Connection, connection_of
from nucleate.environments.secret_refs import is_reference
from nucleate.errors import InputInvalid
from nucleate.tables import ENVIRONMENTS, ConnectionRow
from nucleate_sandbox import Environment
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_text_memory.redaction.redact import redact_text

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, kw_only=True)
class KnownEnvironment:
    """One environment that was added."""

    name: str
    connection: Connection
    added_at: datetime


class KnownEnvironments:
    """The connections in the database. No secret is stored: what looks like one is refused."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._opened: list[Environment] = []

    def add(self, name: str, connection: Connection, *, replace: bool = False) -> None:
        """Store how an environment is reached; InputInvalid for a name that is taken, or a secret in its place."""
        _check(name, connection)
        with Session(self._engine) as session:
            be_the_writer(session.connection(), ENVIRONMENTS)
            row = session.get(ConnectionRow, name)
            if row is not None and not replace:
                raise InputInvalid(f"the environment {name!r} is known already; --replace changes how it is reached")
            row = row or ConnectionRow(name=name, content="", added_at=datetime.now(UTC))
            row.content, row.added_at = connection.model_dump_json(), datetime.now(UTC)
            session.add(row)
            session.commit()

    def all(self) -> Mapping[str, KnownEnvironment]:
        """Return every environment that was added, by name."""
        with Session(self._engine) as session:
            rows = session.exec(select(ConnectionRow).order_by(ConnectionRow.name)).all()
            return {row.name: _known(row) for row in rows}

    def get(self, name: str) -> KnownEnvironment:
        """Return one; InputInvalid names those that there are."""
        every = self.all()
        if name not in every:
            names = ", ".join(every) or "none"
            raise InputInvalid(f"no environment named {name!r} was added (there are {names}); nucleate env add does it")
        return every[name]

    def open(self, name: str) -> Environment:
        """Connect to an environment; the connection ends with `close()`."""
        return self.connect(name, self.get(name).connection)

    def connect(self, name: str, connection: Connection) -> Environment:
        """Connect to an environment that need not have been added yet."""
        environment = connection.open(name)
        self._opened.append(environment)
        return environment

    def close(self) -> None:
        """End every connection that was made here."""
        while self._opened:
            close = getattr(self._opened.pop(), "close", None)
            if callable(close):
                close()

    def remove(self, name: str) -> None:
        """Forget how an environment is reached; what was learned in it stays."""
        self.get(name)
        with Session(self._engine) as session:
            session.execute(delete(ConnectionRow).where(col(ConnectionRow.name) == name))
            session.commit()


def _known(row: ConnectionRow) -> KnownEnvironment:
    return KnownEnvironment(name=row.name, connection=connection_of(row.content), added_at=row.added_at)


def _check(name: str, connection: Connection) -> None:
    if not _NAME.fullmatch(name):
        raise InputInvalid(f"{name!r} is no name for an environment; use small letters, digits and _, as in 'my_shop'")
    for text in _texts(connection.model_dump()):
        if redact_text(text) != text:
            raise InputInvalid(
                f"how {name!r} is reached holds what looks like a secret; give it as env:NAME or file:PATH instead"
            )


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Yield every text in which a secret could stand by itself, with its name, since the name tells much of it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, str(key))
    elif isinstance(value, tuple):
        yield " ".join(value)
    elif isinstance(value, str) and not is_reference(value):
        yield f"{name}={value}"
