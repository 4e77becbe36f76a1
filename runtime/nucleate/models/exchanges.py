"""Exchanges with a model on disk: recorded as JSON lines, replayed by the hash of what was asked."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from nucleate.errors import InputInvalid
from nucleate_codifier.chat import ChatModel, Message, ModelUnavailable, Reply, ReplyEnding
from nucleate_text_memory.redaction.redact import redact_text


def prompt_hash(messages: Sequence[Message], schema: type[BaseModel] | None) -> str:
    """Return the hash of everything that a reply answers: the messages and the shape that was asked for."""
    asked = [[message.role.value, message.content] for message in messages]
    shape = schema.model_json_schema() if schema is not None else None
    text = json.dumps([asked, shape], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Recorder:
    """Asks a model and appends each exchange to a file, secrets redacted: hash, messages, reply, tokens, cost."""

    def __init__(self, model: ChatModel, path: Path) -> None:
        self._model = model
        self._path = path
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply, recorded."""
        reply = self._model.complete(messages, schema=schema)
        line = json.dumps(_exchange(self.name, messages, schema, reply), ensure_ascii=False)
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)  # where it is new: prompts are nobody else's
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        return reply


class Replayer:
    """Answers from recorded exchanges with one model; what was never asked goes `beyond`, or is an error."""

    def __init__(self, path: Path, *, name: str, beyond: ChatModel | None = None) -> None:
        self._path = path
        self._name = name
        self._beyond = beyond
        self._replies = _read(path, name)

    @property
    def name(self) -> str:
        return self._name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the recorded reply at no cost of its own; raise ModelUnavailable where there is none."""
        key = prompt_hash(messages, schema)
        if key in self._replies:
            return self._replies[key]
        if self._beyond is None:
            raise ModelUnavailable(
                f"{str(self._path)!r} holds no exchange with {self._name!r} for the prompt {key}; "
                f"record it: ask through Recorder(model, Path({str(self._path)!r})), or set NUCLEATE_MODEL_EXCHANGES"
            )
        self._replies[key] = self._beyond.complete(messages, schema=schema)
        return self._replies[key]


def _exchange(model: str, messages: Sequence[Message], schema: type[BaseModel] | None, reply: Reply) -> dict[str, Any]:
    return {
        "prompt": prompt_hash(messages, schema),
        "model": model,
        "schema": schema.__name__ if schema is not None else None,
        "messages": [{"role": item.role.value, "content": redact_text(item.content)} for item in messages],
        "reply": redact_text(reply.text),
        "ending": reply.ending.value,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "dollars": reply.dollars,
    }


def _read(path: Path, name: str) -> dict[str, Reply]:
    if not path.is_file():
        return {}
    found: dict[str, Reply] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            value = json.loads(line)
            if value["model"] == name:
                found.setdefault(value["prompt"], _reply(value))
        except (KeyError, TypeError, ValueError) as error:
            raise InputInvalid(f"line {number} of {str(path)!r} is no exchange ({error!r}); delete the line") from error
    return found


def _reply(value: dict[str, Any]) -> Reply:
    return Reply(
        text=value["reply"],
        ending=ReplyEnding(value["ending"]),
        model=value["model"],
        prompt_tokens=value["prompt_tokens"],
        completion_tokens=value["completion_tokens"],
        dollars=value["dollars"],
    )
