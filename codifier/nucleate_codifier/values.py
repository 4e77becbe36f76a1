"""The values of codification: a candidate, its evidence, the findings about it and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from nucleate_codifier.gates import SECONDS
from nucleate_codifier.gates import Gate as Gate
from nucleate_sandbox import Call, Environment, FunctionSpec, Json, JsonObject
from nucleate_tool_library import ToolVersion


@dataclass(frozen=True, kw_only=True)
class Example:
    """One supporting run as a test: these arguments must give this result by these calls.

    `calls` are the recorded environment calls that the tool replaces, in order.
    """

    task_id: str
    query: str
    arguments: JsonObject
    result: Json
    calls: tuple[Call, ...]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """`seen` is what the candidate was compiled from; `held_out` is what the codifier never saw."""

    seen: tuple[Example, ...] = ()
    held_out: tuple[Example, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """Source under judgement: one module whose public function has the candidate's name.

    `tests` are the candidate's own pytest files (name → text); `template` is the trace codifier's pattern as JSON.
    `lock` pins the packages of the candidate and of all that it calls (`nucleate_sandbox.lock`), where it needs any.
    `origin` says what wrote it: for the model codifier the model, the hash of its prompts, and what the attempt took.
    """

    name: str
    scope: str
    source: str
    plan_id: str | None = None
    tests: Mapping[str, str] = field(default_factory=dict)
    template: JsonObject = field(default_factory=dict)
    lock: str = ""
    origin: JsonObject = field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One reason against a candidate: `rule` is `gate/what-is-wrong`; `fix` says what to do about it."""

    rule: str
    message: str
    line: int | None = None
    fix: str = ""


class Status(StrEnum):
    """How a gate, or the whole admission, ended. `unjudged` is an outage: nothing is known, and the answer is no."""

    PASSED = "passed"
    REFUSED = "refused"
    UNJUDGED = "unjudged"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class GateReport:
    """What one gate found, what it counted (examples run, mutants killed, …) and how long it took."""

    gate: Gate
    status: Status
    findings: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    milliseconds: float = field(default=0.0, compare=False)


class Decision(StrEnum):
    """`provisional` means: everything passed, but no final sandbox was there to say so."""

    ADMITTED = "admitted"
    PROVISIONAL = "provisional"
    REJECTED = "rejected"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The judgement with every finding; `capabilities` and `dependencies` (version ids) as read from the source.

    `depends_on` is the hash of everything that the judgement depended on; equal hashes mean equal judgements.
    """

    candidate: str
    decision: Decision
    gates: tuple[GateReport, ...]
    capabilities: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    depends_on: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return every finding of every gate, in order."""
        return tuple(finding for report in self.gates for finding in report.findings)


class Similar(Protocol):
    """Tells how near a description is to each of others, from 0 to 1; `model` names what it was told by."""

    @property
    def model(self) -> str: ...
    def __call__(self, text: str, known: Sequence[str]) -> Sequence[float]: ...


@dataclass(frozen=True, kw_only=True)
class LibraryView:
    """What a gate may know of the library: the versions in force by name, and the names that are not usable.

    `unusable` maps a name to why (`archived`, `suspect`). `similar` is there where a model can compare descriptions.
    """

    tools: Mapping[str, ToolVersion] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)
    similar: Similar | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class EnvironmentView:
    """What a gate may know of the environment: its functions, and a live copy to try things on, if there is one."""

    name: str
    functions: Mapping[str, FunctionSpec]
    live: Environment | None = None


class ImportLevel(StrEnum):
    """What a tool may import: `pure` modules that describe, `standard` ones of the list, `packages` locked ones too."""

    PURE = "pure"
    STANDARD = "standard"
    PACKAGES = "packages"


@dataclass(frozen=True, kw_only=True)
class AdmissionPolicy:
    """How strict admission is. `min_held_out` is the least number of held-out runs that must replay.

    `level` says which imports are allowed: of `allowed_imports` only those that describe types, all of them, or also
    the third-party packages that the candidate declares and locks.

    A gate has `budgets[gate]` seconds, and never more than `gate_seconds`.
    """

    min_queries: int = 2
    min_examples: int = 2
    min_held_out: int = 1
    property_examples: int = 25
    max_mutants: int = 40
    min_mutants_killed: float = 0.8
    level: ImportLevel = ImportLevel.STANDARD
    allowed_imports: frozenset[str] = frozenset(
        {
            "collections",
            "dataclasses",
            "datetime",
            "decimal",
            "enum",
            "fractions",
            "functools",
            "itertools",
            "json",
            "math",
            "re",
            "statistics",
            "string",
            "textwrap",
            "typing",
        }
    )
    approved_destructive: frozenset[str] = frozenset()
    gate_seconds: float = 300.0
    budgets: Mapping[Gate, float] = field(default_factory=lambda: dict(SECONDS))

    def seconds(self, gate: Gate) -> float:
        """Return the seconds that a gate may take; one that needs more refuses."""
        return min(self.gate_seconds, self.budgets.get(gate, self.gate_seconds))
