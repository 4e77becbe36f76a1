"""Replies kept by what was asked: the same model, messages and schema are answered from the database, at no cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection, Engine, Row, delete, insert, select
from sqlmodel import SQLModel

from nucleate.models.exchanges import prompt_hash
from nucleate.tables import MODELS, ModelReplyRow
from nucleate_codifier.chat import ChatModel, Message, Reply, ReplyEnding
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_text_memory.redaction.redact import redact_text

REPLY = SQLModel.metadata.tables[str(ModelReplyRow.__tablename__)]
MOST = 10_000  # replies that are kept, the latest


class Cached:
    """The model it wraps; a reply that holds a secret, or did not end by itself, is not kept."""

    def __init__(self, model: ChatModel, engine: Engine, *, most: int = MOST) -> None:
        self._model = model
        self._engine = engine
        self._most = most

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the kept reply at no cost, or the model's."""
        key = prompt_hash(messages, schema)
        kept = self._kept(key)
        if kept is not None:
            return kept
        reply = self._model.complete(messages, schema=schema)
        if reply.ending is ReplyEnding.COMPLETE and redact_text(reply.text) == reply.text:
            self._keep(key, reply)
        return reply

    def _kept(self, key: str) -> Reply | None:
        with self._engine.begin() as connection:
            row = self._row(connection, key)
        if row is None:
            return None
        return Reply(text=row.text, model=self.name, dollars=0.0)

    def _keep(self, key: str, reply: Reply) -> None:
        made = {"prompt": key, "model": self.name, "text": reply.text, "at": datetime.now(UTC)}
        with self._engine.begin() as connection:
            be_the_writer(connection, MODELS)
            if self._row(connection, key) is None:  # another process may have asked the same meanwhile
                connection.execute(insert(REPLY).values(**made))
                old = select(REPLY.c.id).order_by(REPLY.c.id.desc()).offset(self._most)
                connection.execute(delete(REPLY).where(REPLY.c.id.in_(old)))

    def _row(self, connection: Connection, key: str) -> Row[Any] | None:
        return connection.execute(select(REPLY).where(REPLY.c.prompt == key, REPLY.c.model == self.name)).first()
