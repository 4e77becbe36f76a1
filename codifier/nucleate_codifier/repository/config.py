"""`[tool.nucleate]` in pyproject.toml: where things are, how strict admission is, and who approved what."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nucleate_codifier.repository.files import nearest, read_text
from nucleate_codifier.repository.project_values import RepositoryError
from nucleate_codifier.values import AdmissionPolicy
from nucleate_sandbox import Effect

NAME = "pyproject.toml"
APPROVED = "approved_destructive"
POLICY = frozenset(item.name for item in fields(AdmissionPolicy)) - {APPROVED}
_POLICY = TypeAdapter(AdmissionPolicy)


class Approval(BaseModel):
    """Who lets tools call a destructive function, and why."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    by: str = Field(min_length=1)
    why: str = Field(min_length=1)


class Config(BaseModel):
    """The keys of `[tool.nucleate]` that are not the policy's; paths lead from the file's own folder."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    environment: str | None = None
    name: str | None = Field(default=None, min_length=1)
    recordings: list[str] = Field(default_factory=list)
    effects: dict[str, Effect] = Field(default_factory=dict)
    tools: list[str] = Field(default_factory=list)
    exclude: list[str] = Field(default_factory=list)
    approvals: dict[str, Approval] = Field(default_factory=dict)


KEYS = POLICY | set(Config.model_fields)


def nearest_config(folder: Path, root: Path) -> Path | None:
    """Return the nearest pyproject.toml with `[tool.nucleate]`, from a folder up to the repository's root."""
    inside = [item for item in (folder, *folder.parents) if item == root or root in item.parents]
    candidates = (item / NAME for item in inside)
    return next((path for path in candidates if path.is_file() and _table(path, root) is not None), None)


def read_config(path: Path, root: Path, *, besides: frozenset[str] = frozenset()) -> tuple[Config, AdmissionPolicy]:
    """Return the configuration and the policy of one pyproject.toml; every wrong key is named.

    `besides` are keys of the same table that others read.
    """
    place = path.relative_to(root).as_posix()
    table = {key: value for key, value in (_table(path, root) or {}).items() if key not in besides}
    for key in sorted(table.keys() - KEYS):
        raise RepositoryError(f"{place}: [tool.nucleate] has no key {key!r}{_near(key, KEYS)}")
    try:
        config = Config.model_validate_json(_json({key: table[key] for key in table.keys() - POLICY}, place))
        return config, _policy({key: table[key] for key in table.keys() & POLICY}, config, place)
    except ValidationError as error:
        raise RepositoryError(f"{place}: [tool.nucleate] {'; '.join(map(_problem, error.errors()))}") from error


def _near(key: str, known: frozenset[str]) -> str:
    if key == APPROVED:
        return '; write [tool.nucleate.approvals."function"] with `by` and `why`'
    return nearest(key, known)


def _policy(table: Mapping[str, Any], config: Config, place: str) -> AdmissionPolicy:
    for key, value in table.items():
        if isinstance(value, int | float) and not isinstance(value, bool) and value <= 0:
            raise RepositoryError(f"{place}: {key} = {value!r} would admit without evidence; it must be more than 0")
    given = {**table, APPROVED: sorted(config.approvals)}
    return _POLICY.validate_json(_json(given, place), strict=True)


def _table(path: Path, root: Path) -> dict[str, Any] | None:
    place = path.relative_to(root).as_posix()
    try:
        content = tomllib.loads(read_text(path, place))
    except tomllib.TOMLDecodeError as error:
        raise RepositoryError(f"{place}: not TOML ({error}); correct it") from error
    tool = content.get("tool")
    table = tool.get("nucleate") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise RepositoryError(f"{place}: tool.nucleate is {table!r}; it must be a table")
    return cast("dict[str, Any] | None", table)


def _json(value: Mapping[str, Any], place: str) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RepositoryError(f"{place}: [tool.nucleate] {error}; use texts, numbers, lists and tables") from error


def _problem(item: Mapping[str, Any]) -> str:
    place = ".".join(map(str, item["loc"]))
    if item["type"] == "extra_forbidden":
        return f"{place!r} is not a key; an approval has `by` and `why`"
    if item["type"] == "missing":
        return f"{place!r} is missing"
    return f"{place} is {item['input']!r:.80}: {item['msg']}"
