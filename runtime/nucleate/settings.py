"""Settings: the one place where the process environment is read (`NUCLEATE_…`)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_DATABASE = Path(".nucleate") / "nucleate.db"


class Settings(BaseSettings):
    """What can be configured; every value has a default that works with nothing configured."""

    model_config = SettingsConfigDict(env_prefix="NUCLEATE_", extra="forbid", frozen=True)

    database: str = Field(default=str(DEFAULT_DATABASE), description="A file, or a SQLAlchemy URL")
    sandbox: Literal["auto", "docker", "monty"] = Field(default="auto", description="Where candidates and tools run")
    sandbox_runtime: str | None = Field(default=None, description="Another runtime of the engine, as 'runsc'")
    theta: int = Field(default=3, ge=1, description="θ: distinct inputs before a plan is codified")
    beta: int = Field(default=12, ge=1, description="β: size of a plan's related history")
    quorum: int = Field(default=2, ge=2, description="Distinct tasks before a recurring sequence becomes a plan")
    offered_tools: int = Field(default=8, ge=1, description="Tools offered for one query, before closure")
    codifier: Literal["trace", "model", "both"] = Field(
        default="both", description="Who writes tools; both: the model where the trace codifier refuses"
    )
    model: str | None = Field(default=None, description="A model by its LiteLLM name; none: the trace codifier alone")
    model_url: str | None = Field(default=None, description="The address of a model server, where it is not the usual")
    model_key: SecretStr | None = Field(default=None, description="The key for it; none: the provider's own variable")
    model_timeout: float = Field(default=120.0, gt=0, description="Seconds for one call of the model")
    model_turns: int = Field(default=16, ge=1, description="Turns of one attempt")
    model_tokens: int = Field(default=200_000, ge=1, description="Tokens of one attempt, prompts and replies")
    model_dollars: float | None = Field(default=None, gt=0, description="Dollars of one attempt; none: no limit")
    model_cap: float | None = Field(default=None, gt=0, description="Dollars of one process; none: no limit")
    model_exchanges: str | None = Field(default=None, description="A file: records exchanges and repeats known ones")
    allow_provisional: bool = Field(default=False, description="Let executor agents call tools judged without Docker")
