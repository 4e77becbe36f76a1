"""Settings: the one place where the configuration file and the process environment (`NUCLEATE_…`) are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from nucleate.errors import InputInvalid
from nucleate.settings.backends import AUTO, Backend
from nucleate.settings.config_files import PATH, nearest_file, read_settings
from nucleate.settings.defaults import BETA, DEFAULT_DATABASE, PREFIX, THETA


class FileSource(PydanticBaseSettingsSource):
    """The settings of the nearest file, for pydantic-settings."""

    def __init__(self, settings: type[BaseSettings], *, besides: Callable[[], Collection[str]] = tuple) -> None:
        super().__init__(settings)
        self._besides = besides

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Return the value of one field."""
        return self().get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        file = nearest_file(Path.cwd())
        return {} if file is None else read_settings(file, self.settings_cls.model_fields, besides=self._besides)


class Settings(BaseSettings):
    """What can be configured; every value has a default that works with nothing configured.

    What is handed in wins over the environment variables, and those over the configuration file.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    database: str = Field(
        default=str(DEFAULT_DATABASE), description="A file, or a SQLAlchemy URL", json_schema_extra=PATH
    )
    sandbox: Backend = Field(default=AUTO, description="Where candidates and tools run")
    sandbox_runtime: str | None = Field(default=None, description="Another runtime of the engine, as 'runsc'")
    worker: Literal["thread", "inline", "off"] = Field(
        default="thread", description="Who learns: a thread beside the tasks, the task itself, or `nucleate worker`"
    )
    reflection: Literal["rules", "model"] = Field(
        default="rules", description="Who reflects: fixed rules alone, or after them the model, on every task"
    )
    reflection_turns: int = Field(default=12, ge=1, description="Turns of one reflection by the model")
    reflection_tokens: int = Field(default=80_000, ge=1, description="Tokens of one reflection, prompts and replies")
    reflection_recent: int = Field(default=10, ge=0, description="Queries of recent tasks that a reflection sees")
    background_attempts: int | None = Field(
        default=None, ge=0, description="Attempts of the model in one day of background work; none: no limit"
    )
    background_tokens: int | None = Field(default=None, ge=0, description="Tokens of such a day; none: no limit")
    background_dollars: float | None = Field(default=None, ge=0, description="Dollars of such a day; none: no limit")
    on_outage: Literal["wait", "raise"] = Field(
        default="wait",
        description="What a recorded program meets while the database is out of order: nothing, or the error",
    )
    exit_seconds: float = Field(
        default=2.0, ge=0, description="Seconds that a program may take at its end to learn what waits"
    )
    theta: int = Field(default=THETA, ge=1, description="θ: distinct inputs before a plan is codified")
    beta: int = Field(default=BETA, ge=1, description="β: size of a plan's related history")
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
    model_cap_day: float | None = Field(
        default=None, gt=0, description="Dollars of one day over all processes; none: no limit"
    )
    model_cache: bool = Field(default=False, description="Answer what was asked before from the database")
    model_exchanges: str | None = Field(
        default=None, description="A file: records exchanges and repeats known ones", json_schema_extra=PATH
    )
    embedder: str | None = Field(
        default=None, description="An embedding model by its LiteLLM name; none: the local one, which asks no network"
    )
    embedder_dimension: int = Field(default=1536, ge=1, description="The dimension of its vectors")
    embedder_url: str | None = Field(default=None, description="The address of its server, where it is not the usual")
    embedder_key: SecretStr | None = Field(default=None, description="Its key; none: the provider's own variable")
    mode: Literal["full", "text_only", "code_only", "eager", "none"] = Field(
        default="full", description="Which memory is used: text and tools, or less of it, to compare"
    )
    selection: Literal["model", "scores"] = Field(
        default="model", description="Who picks entries and tools for `nucleate run`; scores: no model call for it"
    )
    offered_entries: int = Field(default=8, ge=1, description="Text entries looked at for one query")
    guidance_tokens: int = Field(default=2_000, ge=1, description="Tokens of guidance in a prompt")
    run_steps: int = Field(default=30, ge=1, description="Steps of one run")
    run_tokens: int = Field(default=400_000, ge=1, description="Tokens of one run, prompts and replies")
    run_seconds: float = Field(default=600.0, gt=0, description="Seconds of one run")
    run_dollars: float | None = Field(default=None, gt=0, description="Dollars of one run; none: no limit")
    release_policy: Literal["admission", "canary"] = Field(
        default="admission", description="How a tool's first version begins: in service, or on trial"
    )
    canary_share: float = Field(default=0.2, ge=0, le=1, description="Share of matching calls that a canary serves")
    high_risk: tuple[Literal["read", "write", "destructive"], ...] = Field(
        default=("write", "destructive"), description="Effects that ask for more trials and a person's approval"
    )
    destructive: Literal["never", "ask", "allow"] | None = Field(
        default=None, description="What a destructive call needs; none: a yes, where somebody can be asked"
    )
    destructive_allowed: tuple[str, ...] = Field(
        default=(), description="Destructive functions that need no yes, as namespace.function"
    )
    suspect_days: float = Field(
        default=7.0, ge=0, description="Days that a tool whose functions changed stays suspect before it is archived"
    )
    without_docker: Literal["embedded", "refuse"] = Field(
        default="embedded", description="Where tools that were judged with Docker run while it does not answer"
    )
    allow_provisional: bool = Field(default=False, description="Let executor agents call tools judged without Docker")
    serve_token: SecretStr | None = Field(default=None, description="The bearer token of `nucleate serve --http`")
    serve_proxy: tuple[str, ...] = Field(
        default=(), description="MCP servers that `nucleate serve` passes on: NAME=COMMAND or NAME=ADDRESS"
    )
    telemetry_content: bool = Field(default=False, description="Let telemetry hold arguments, results and messages")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, FileSource(settings_cls, besides=_of_admission)


def settings_from(given: Mapping[str, object]) -> Settings:
    """Return the settings where these options were given on the command line; InputInvalid names every wrong value."""
    try:
        return Settings(**cast("dict[str, Any]", given))
    except ValidationError as error:
        places = sources(given)
        problems = [_problem(item["loc"], item["msg"], places) for item in error.errors(include_url=False)]
        raise InputInvalid(f"{'; '.join(problems)}; `nucleate config show` lists every setting") from error


def sources(given: Mapping[str, object]) -> dict[str, str]:
    """Return for each setting where its value comes from: an option, a variable, a file, or `default`."""
    file = nearest_file(Path.cwd())
    written = {} if file is None else dict.fromkeys(file.values, str(file.path))
    names = {name: f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    variables = {name: variable for name, variable in names.items() if variable in os.environ}
    options = {name: f"--{name.replace('_', '-')}" for name in given}
    return {name: {**written, **variables, **options}.get(name, "default") for name in Settings.model_fields}


def _problem(location: tuple[int | str, ...], message: str, places: Mapping[str, str]) -> str:
    name = str(location[0]) if location else "settings"
    return f"{name} ({places.get(name, 'unknown')}): {message}"


def _of_admission() -> frozenset[str]:
    from nucleate_codifier.repository.config import KEYS  # only where a file has keys that are not ours

    return KEYS
