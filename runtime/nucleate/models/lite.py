"""Any model that LiteLLM reaches, as a ChatModel: retried with backoff, never waiting without end, and priced."""

from __future__ import annotations

import json
import os
import random
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from nucleate.errors import InputInvalid
from nucleate.models.abilities import abilities_of
from nucleate.models.bounded_wait import apart
from nucleate.models.model_errors import ModelUnusable
from nucleate.models.reply_schemas import REPLY
from nucleate_codifier.chat import Message, ModelUnavailable, Reply, ReplyEnding

LONGEST_PAUSE = 60.0


@dataclass(frozen=True, kw_only=True)
class ModelPatience:
    """How long one call may take, how often it is tried again, and how many tokens an answer may have.

    What a model thinks before it answers has its own tokens, `thought_tokens`.
    """

    timeout: float = 120.0
    retries: int = 4
    output_tokens: int = 8_192
    thought_tokens: int = 24_576
    first_pause: float = 1.0

    def pause(self, attempt: int, wished: float | None) -> float:
        """Return the seconds before try `attempt` + 1: what the provider wishes, else doubling with some jitter."""
        if wished is not None:
            return min(wished, LONGEST_PAUSE)
        jitter = random.uniform(1.0, 1.25)  # noqa: S311 - so that many clients do not come back at once
        return min(self.first_pause * 2.0**attempt * jitter, LONGEST_PAUSE)


class LiteLLMModel:
    """A model by its LiteLLM name (`openai/gpt-4o-mini`); without `key` the provider's own variable counts.

    Rate limits, server errors, broken responses and time-outs are tried again; other errors end it at once.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        key: str | None = None,
        patience: ModelPatience = ModelPatience(),
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name = name
        self._url = url
        self._key = key
        self._patience = patience
        self._sleep = sleep

    @property
    def name(self) -> str:
        return self._name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the next reply, be it refused or cut off; raise ModelUnavailable where none is to be had."""
        attempt = 0
        while True:
            try:
                return self._reply(self._ask(messages, schema))
            except _Again as fault:
                if attempt >= self._patience.retries:
                    raise ModelUnavailable(
                        f"{self._name!r} did not answer in {attempt + 1} tries: {fault}; try again later"
                    ) from fault
                self._sleep(self._patience.pause(attempt, fault.wished))
                attempt += 1

    def _ask(self, messages: Sequence[Message], schema: type[BaseModel] | None) -> Any:
        litellm, openai = _libraries()
        able = abilities_of(litellm, self._name)
        asked = partial(
            litellm.completion,
            model=self._name,
            messages=[{"role": message.role.value, "content": message.content} for message in messages],
            api_base=self._url,
            api_key=self._key,
            timeout=self._patience.timeout,
            max_tokens=able.tokens(self._patience.output_tokens, self._patience.thought_tokens),
            num_retries=0,
            max_retries=0,
            drop_params=True,
            **able.asking(schema),
        )
        try:
            return _apart(asked)
        except litellm.exceptions.ContentPolicyViolationError:
            return None
        except openai.OpenAIError as error:  # LiteLLM's errors of every provider are kinds of it
            raise _mapped(self._name, error) from error

    def _reply(self, response: Any) -> Reply:
        if response is None:
            return Reply(text="", ending=ReplyEnding.REFUSAL, model=self._name)
        choice = response.choices[0]
        refusal = getattr(choice.message, "refusal", None)
        return Reply(
            text=refusal or _said(choice.message),
            ending=ReplyEnding.REFUSAL if refusal else _ENDINGS.get(choice.finish_reason, ReplyEnding.COMPLETE),
            model=self._name,
            prompt_tokens=response.usage.prompt_tokens,
            completion_tokens=response.usage.completion_tokens,
            dollars=getattr(response, "_hidden_params", {}).get("response_cost"),
        )


def _said(message: Any) -> str:
    """Return the text of a message; calls that a provider keeps apart stand behind it, as a model writes them."""
    calls = [call.function for call in message.tool_calls or []]
    written = [
        call.arguments
        if call.name == REPLY
        else f'<tool_call>{{"name": {json.dumps(call.name)}, "arguments": {call.arguments or "{}"}}}</tool_call>'
        for call in calls
    ]
    return "\n".join(part for part in (message.content, *written) if part)


_ENDINGS = {"length": ReplyEnding.LENGTH, "content_filter": ReplyEnding.REFUSAL}
# A request that timed out or met a conflict or a rate limit; the provider's own errors are 500 and above.
_PASSING = frozenset({408, 409, 429})
_MOST_SHOWN = 300


class _Again(Exception):
    """A fault that may pass; `wished` is how many seconds the provider asks to wait."""

    def __init__(self, message: str, wished: float | None) -> None:
        super().__init__(message)
        self.wished = wished


def _apart(asked: Callable[[], Any]) -> Any:
    """Ask in a thread of its own: in the main thread LiteLLM makes an event loop for itself and never closes it.

    It imports parts of itself while it is asked, and what they warn of is not ours to mend.
    """
    with warnings.catch_warnings(action="ignore"):
        return apart(asked)


def _mapped(name: str, error: Exception) -> Exception:
    text = " ".join(str(error).split())[:_MOST_SHOWN]
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and (status in _PASSING or status >= 500):
        return _Again(text, _wished(error))
    return ModelUnusable(f"{name!r} cannot be asked: {text}; correct the model's name, its key or its address")


def _wished(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError):  # not given, or given as a date
        return None


def warm_up() -> None:
    """Import LiteLLM now, so that the seconds which that takes are not a run's."""
    _libraries()


@cache
def _libraries() -> tuple[ModuleType, ModuleType]:
    """Import LiteLLM when a model is first asked: it takes seconds, and most runs need none."""
    # Prices come with the package: without this, the import asks the network for them.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        with warnings.catch_warnings(action="ignore"):
            import litellm
            import openai
    except ModuleNotFoundError as error:
        raise InputInvalid("a model was named, but LiteLLM is not installed; pip install 'nucleate[llm]'") from error
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm, openai
