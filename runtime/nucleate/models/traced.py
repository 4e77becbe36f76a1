"""A model whose calls are reported as `chat` spans with their tokens."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import BaseModel

from nucleate import telemetry
from nucleate_codifier.chat import ChatModel, Message, Reply


class Traced:
    """The model it wraps, each call in a span of OpenTelemetry's conventions."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        provider, _, name = model.name.rpartition("/")
        self._target: dict[str, telemetry.Value] = {telemetry.MODEL: name}
        if provider:
            self._target[telemetry.PROVIDER] = provider

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply; what it raises is noted and goes on."""
        with telemetry.span("chat", self._target) as noted:
            noted.say(telemetry.INPUT_MESSAGES, lambda: _as_json(messages))
            reply = self._model.complete(messages, schema=schema)
            noted.set(
                {
                    telemetry.INPUT_TOKENS: reply.prompt_tokens,
                    telemetry.OUTPUT_TOKENS: reply.completion_tokens,
                    telemetry.FINISH: [reply.ending.value],
                    "nucleate.cost.dollars": reply.dollars,
                }
            )
            noted.say(telemetry.OUTPUT_MESSAGES, lambda: reply.text)
            return reply


def _as_json(messages: Sequence[Message]) -> str:
    return json.dumps([{"role": item.role.value, "content": item.content} for item in messages], ensure_ascii=False)
