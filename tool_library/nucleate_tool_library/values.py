"""The values of the tool library: a version with everything that was known when it was admitted."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


class State(StrEnum):
    """The life cycle (Agent Experience OS §10): only `active` tools serve executor agents."""

    DRAFT = "draft"
    CANDIDATE = "candidate"
    CANARY = "canary"
    ACTIVE = "active"
    SUSPECT = "suspect"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A tool's public function as read from its syntax tree: never imported, never executed.

    `text` is the `def` line; `parameters` a JSON schema of type object; `returns` a JSON schema; `doc` the docstring.
    """

    name: str
    text: str
    doc: str
    parameters: JsonObject
    returns: JsonObject


@dataclass(frozen=True, kw_only=True)
class ToolVersion:
    """An immutable, content-addressed body: the id is a hash of name, scope, source, pinned dependencies and lock.

    `revision` in its evidence counts too: new evidence or tests for a source that is known make a version of their own.

    `capabilities` are the environment functions that the tool may call; `dependencies` the ids of the tool
    versions that it calls; `tests` the examples and test files that judged it; `evidence` where it came from;
    `template` the codifier's pattern, by which calls that the tool can replace are recognised; `lock` the exact
    third-party packages of the tool and of all that it calls, empty where it needs none; `author` who or what
    wrote it; `prompt_hash` the hash of the prompt that asked for it; `schemas` the hash of each environment
    function's schema as it was when the version was judged, by which drift is seen.
    """

    name: str
    scope: str
    source: str
    signature: Signature
    capabilities: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    tests: JsonObject = field(default_factory=dict)
    evidence: JsonObject = field(default_factory=dict)
    template: JsonObject = field(default_factory=dict)
    verdict: JsonObject = field(default_factory=dict)
    lock: str = ""
    author: str = ""
    prompt_hash: str = ""
    schemas: JsonObject = field(default_factory=dict)

    @cached_property
    def id(self) -> str:
        """Return the content address: 64 hexadecimal digits."""
        parts: list[Json] = [self.name, self.scope, self.source, list[Json](sorted(self.dependencies))]
        parts += [self.lock] if self.lock else []
        parts += [{"revision": self.evidence["revision"]}] if self.evidence.get("revision") else []
        content = json.dumps(parts, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A name in a scope, its state, and its current version.

    `number` counts its versions; `release` is the semantic number of the one in force; a `pinned` tool is
    changed by people alone.
    """

    name: str
    scope: str
    state: State
    version: ToolVersion
    number: int = 1
    uses: int = 0
    plan_id: str | None = None
    release: str = "1.0.0"
    pinned: bool = False
