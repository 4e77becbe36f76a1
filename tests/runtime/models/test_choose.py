"""Which codifiers the settings choose."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from nucleate import Settings
from nucleate.errors import InputInvalid
from nucleate.models import Capped, Replayer
from nucleate.models.choose import Codifiers, chat_model, codifiers, embedder_of
from nucleate.models.traced import Traced
from nucleate_codifier.chat import ScriptedModel
from nucleate_codifier.model import Budget
from nucleate_text_memory import LiteLLMEmbedder, LocalEmbedder

MODEL = ScriptedModel([])


def test_with_nothing_configured_the_trace_codifier_works_alone() -> None:
    assert codifiers(Settings(), model=None) == Codifiers(trace=True, model=None)


def test_a_named_model_writes_what_the_trace_codifier_refuses() -> None:
    chosen = codifiers(Settings(), model=chat_model(Settings(model="openai/gpt-4o-mini")))
    assert chosen.trace
    assert isinstance(chosen.model, Traced)
    assert chosen.model.name == "openai/gpt-4o-mini"


def test_a_model_that_is_handed_in_counts_as_named() -> None:
    assert codifiers(Settings(codifier="model"), model=MODEL) == Codifiers(trace=False, model=MODEL)


def test_the_trace_codifier_alone_asks_no_model() -> None:
    assert codifiers(Settings(codifier="trace", model="openai/gpt-4o-mini"), model=MODEL).model is None


def test_the_model_codifier_without_a_model_is_an_error_that_says_what_to_set() -> None:
    with pytest.raises(InputInvalid, match="no model is named; set NUCLEATE_MODEL"):
        codifiers(Settings(codifier="model"), model=None)


def test_budgets_come_from_the_settings() -> None:
    settings = Settings(model_turns=3, model_tokens=500, model_dollars=0.25)
    assert codifiers(settings, model=MODEL).budget == Budget(turns=3, tokens=500, dollars=0.25)


def test_texts_are_compared_by_the_model_that_the_settings_name_else_by_the_local_one() -> None:
    found = embedder_of(Settings(embedder="openai/text-embedding-3-small", embedder_dimension=256))
    assert (type(found), found.model, found.dimension) == (LiteLLMEmbedder, "openai/text-embedding-3-small", 256)
    assert isinstance(embedder_of(Settings()), LocalEmbedder)


def test_a_cap_and_a_file_of_exchanges_are_put_around_the_model(tmp_path: Path) -> None:
    assert isinstance(chat_model(Settings(model_cap=1.0), given=MODEL), Capped)
    settings = Settings(model_cap=1.0, model_exchanges=str(tmp_path / "exchanges.jsonl"))
    assert isinstance(chat_model(settings, given=MODEL), Replayer)


@pytest.mark.parametrize("field", ["model_turns", "model_tokens", "model_dollars", "model_cap", "model_timeout"])
def test_a_budget_of_nothing_is_refused(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Settings.model_validate({field: 0})
