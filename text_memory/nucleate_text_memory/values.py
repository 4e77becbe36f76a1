"""The values of text memory: trajectories of steps, typed entries, and where a plan occurs in a trajectory."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from nucleate_text_memory.contents import Content
from nucleate_text_memory.retrieval.documents import Reason

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


@dataclass(frozen=True, kw_only=True)
class StepError:
    """An error observation: the environment's kind (`OrderNotFound`) and message."""

    kind: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Step:
    """One action and its observation.

    `function` is `namespace.function` for an environment function and a bare name for a tool of the library.
    """

    function: str
    arguments: JsonObject
    result: Json = None
    error: StepError | None = None


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What the user said after the query, when `at` steps had been made."""

    text: str
    at: int


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """What an agent was asked and what it did. `environment` is the scope of everything learned from it.

    `query` is the user's first message, `said` what followed. `group` names runs that are one task where a caller says
    so: repetitions and rewordings, which count once.

    `success` is None where nobody judged the run; `reward` is in [-1, 1] where the environment gave one. `meta` keeps
    what the recording says beside this (a model's name, fields of a foreign format); nothing is learned from it.
    `selected` names the plans that the agent was given for the task: B(p) counts them (Metis Algorithm 1).
    """

    task_id: str
    query: str
    environment: str
    steps: tuple[Step, ...]
    success: bool | None = None
    reward: float | None = None
    meta: JsonObject = field(default_factory=dict)
    selected: tuple[str, ...] = ()
    said: tuple[Utterance, ...] = ()
    group: str = ""


class Kind(StrEnum):
    """The three kinds of entry (Metis §3.2)."""

    PLAN = "plan"
    FACT = "fact"
    PITFALL = "pitfall"


class Trust(StrEnum):
    """Who vouches for an entry, best first."""

    USER = "user"
    ENVIRONMENT = "environment"
    AGENT = "agent"
    TOOL_OUTPUT = "tool_output"


class EntryStatus(StrEnum):
    """What became of an entry; the valid bit v of Metis §3.2 is set while it is active."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"
    REJECTED = "rejected"
    FORGOTTEN = "forgotten"


class Sensitivity(StrEnum):
    """Who may be shown an entry outside its scope: anybody, colleagues, nobody."""

    PUBLIC = "public"
    INTERNAL = "internal"
    PERSONAL = "personal"


@dataclass(frozen=True, kw_only=True)
class SourceSpan:
    """Where an entry was seen: steps [start, stop) of one task's trajectory."""

    task_id: str
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One text-memory record. `signature` is the deterministic key (a plan's function sequence, run-collapsed).

    `confidence` and `importance` are in [0, 1]; `valid` is the bit v of Metis §3.2; `implements` names tools made from
    a plan: D(p). An entry holds in [`valid_from`, `valid_to`) and was believed in [`recorded_at`, `retired_at`).
    """

    id: str
    kind: Kind
    scope: str
    title: str
    body: str
    signature: tuple[str, ...]
    source: str
    confidence: float
    valid: bool = True
    evidence: tuple[SourceSpan, ...] = ()
    supersedes: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    content: Content | None = None
    author: str = ""
    trust: Trust = Trust.AGENT
    status: EntryStatus = EntryStatus.ACTIVE
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    importance: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime | None = None
    retired_at: datetime | None = None
    expires_at: datetime | None = None
    why: str | None = None
    held_because: str | None = None
    use_count: int = 0
    used_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A plan found in a trajectory: `groups[i]` holds the step indices that carry `signature[i]`, in order.

    A group is empty where the task skipped a step; the first and the last are not. The trajectory is the run without
    the calls that lay between those of the plan; `of` are the steps [start, stop) of the stored run that it spans.
    """

    trajectory: Trajectory
    groups: tuple[tuple[int, ...], ...]
    of: tuple[int, int] = (0, 0)

    @property
    def start(self) -> int:
        return self.groups[0][0]

    @property
    def stop(self) -> int:
        return self.groups[-1][-1] + 1


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An entry that somebody wants to add; the memory gives it its content-addressed id.

    `source` says who or what it comes from: `user:NAME`, `environment:FUNCTION`, `agent:NAME`, `task:ID` (learned from
    a stored run), or `tool:ORIGIN` for the text of a function's answer or of a document. It holds in
    [`valid_from`, `valid_to`); without a beginning from the moment on in which it is added.
    """

    kind: Kind
    scope: str
    title: str
    body: str
    source: str
    signature: tuple[str, ...] = ()
    confidence: float = 0.5
    evidence: tuple[SourceSpan, ...] = ()
    content: Content | None = None
    importance: float = 0.5
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Event:
    """One change of an entry: what was done, by whom, when and why; `other` is the other entry or source concerned."""

    entry_id: str
    at: datetime
    action: str
    author: str
    why: str
    other: str = ""


@dataclass(frozen=True, kw_only=True)
class Reflection:
    """The entries that reflecting on one task added."""

    task_id: str
    plans: tuple[Entry, ...] = ()
    pitfalls: tuple[Entry, ...] = ()
    facts: tuple[Entry, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return all of them: plans, then pitfalls, then facts."""
        return self.plans + self.pitfalls + self.facts


@dataclass(frozen=True, kw_only=True)
class Selected:
    """An entry that answers a query, its score in [0, 1], and why it was found: by which primitive, what matched."""

    entry: Entry
    score: float
    reasons: tuple[Reason, ...] = ()
