"""Which model is asked, and which codifiers write tools, as the settings say."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from nucleate.errors import InputInvalid
from nucleate.models.cached import Cached
from nucleate.models.capped import Capped
from nucleate.models.exchanges import Recorder, Replayer
from nucleate.models.ledger import Accounted, Ledger
from nucleate.models.lite import LiteLLMModel, ModelPatience
from nucleate.models.traced import Traced
from nucleate.settings.settings import Settings
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Budget
from nucleate_text_memory import Embedder, LiteLLMEmbedder, LocalEmbedder

NO_MODEL = "no model is named; set NUCLEATE_MODEL (such as openai/gpt-4o-mini), or hand one to Runtime(model=…)"


@dataclass(frozen=True, kw_only=True)
class Codifiers:
    """Who writes tools: the trace codifier, a model within its budget, or first the one and then the other."""

    trace: bool = True
    model: ChatModel | None = None
    budget: Budget = field(default_factory=Budget)


def codifiers(settings: Settings, *, model: ChatModel | None) -> Codifiers:
    """Return who writes tools; InputInvalid where the settings want a model and there is none."""
    if settings.codifier == "trace":
        return Codifiers()
    if model is None and settings.codifier == "model":
        raise InputInvalid(f"the codifier is 'model', but {NO_MODEL}, or set NUCLEATE_CODIFIER to 'trace'")
    budget = Budget(turns=settings.model_turns, tokens=settings.model_tokens, dollars=settings.model_dollars)
    return Codifiers(trace=settings.codifier != "model", model=model, budget=budget)


def chat_model(settings: Settings, *, given: ChatModel | None = None, engine: Engine | None = None) -> ChatModel | None:
    """Return the model that is handed in, or that the settings name, capped, counted and traced; None without one."""
    model = given or _named(settings)
    return _recorded(_counted(model, settings, engine), settings) if model is not None else None


def embedder_of(settings: Settings) -> Embedder:
    """Return what texts are compared by: the model that the settings name, or the local one."""
    if settings.embedder is None:
        return LocalEmbedder()
    key = settings.embedder_key.get_secret_value() if settings.embedder_key is not None else None
    return LiteLLMEmbedder(settings.embedder, settings.embedder_dimension, url=settings.embedder_url, key=key)


def required(model: ChatModel | None) -> ChatModel:
    """Return a model; InputInvalid where there is none."""
    if model is None:
        raise InputInvalid(f"a run needs a model, but {NO_MODEL}")
    return model


def _named(settings: Settings) -> ChatModel | None:
    if settings.model is None:
        return None
    if importlib.util.find_spec("litellm") is None:
        raise InputInvalid(f"the model {settings.model!r} needs LiteLLM; pip install 'nucleate[llm]'")
    key = settings.model_key.get_secret_value() if settings.model_key is not None else None
    patience = ModelPatience(timeout=settings.model_timeout)
    return LiteLLMModel(settings.model, url=settings.model_url, key=key, patience=patience)


def _counted(model: ChatModel, settings: Settings, engine: Engine | None) -> ChatModel:
    """Count and cap what is asked anew; what a cache knows is never asked."""
    model = Traced(model)
    if settings.model_cap is not None:
        model = Capped(model, dollars=settings.model_cap)
    if engine is None:
        return model
    model = Accounted(model, Ledger(engine), cap=settings.model_cap_day)
    return Cached(model, engine) if settings.model_cache else model


def _recorded(model: ChatModel, settings: Settings) -> ChatModel:
    """Record what is asked; what was recorded before is answered from the file, at no cost."""
    if settings.model_exchanges is None:
        return model
    path = Path(settings.model_exchanges)
    return Replayer(path, name=model.name, beyond=Recorder(model, path))
