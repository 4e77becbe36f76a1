"""What LiteLLM knows that a model can do: promise a schema, call functions, think before it answers."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from nucleate.models.reply_schemas import reply_function, response_format


@dataclass(frozen=True, kw_only=True)
class ModelAbilities:
    """Nothing is assumed of a model that LiteLLM does not know: it is asked in words, and its text is read.

    `longest` is the most tokens that one reply may have; None where that is not known.
    """

    schemas: bool = False
    calls: bool = False
    thinks: bool = False
    longest: int | None = None

    def asking(self, schema: type[BaseModel] | None) -> dict[str, Any]:
        """Return the keywords by which a reply of a shape is asked for: none where only words are left."""
        if schema is None or not (self.schemas or self.calls):
            return {}
        return response_format(schema) if self.schemas else reply_function(schema)

    def tokens(self, answer: int, thoughts: int) -> int:
        """Return the limit of a reply: what a model thinks is counted like what it says, and takes nothing from it."""
        wanted = answer + (thoughts if self.thinks else 0)
        return wanted if self.longest is None else min(wanted, self.longest)


def abilities_of(litellm: ModuleType, name: str) -> ModelAbilities:
    """Return what is known of a model."""
    try:
        info = litellm.get_model_info(name)
    except Exception:  # noqa: BLE001 - LiteLLM raises what it likes for a name that it has not heard of
        return ModelAbilities()
    longest = info.get("max_output_tokens")
    return ModelAbilities(
        schemas=bool(litellm.supports_response_schema(model=name)),
        calls=bool(litellm.supports_function_calling(model=name)),
        thinks=bool(litellm.supports_reasoning(model=name)),
        longest=longest if isinstance(longest, int) and longest > 0 else None,
    )
