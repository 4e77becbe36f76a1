"""The values of text memory: trajectories of steps, typed entries, and where a plan occurs in a trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

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
class Trajectory:
    """What an agent was asked and what it did. `environment` is the scope of everything learned from it.

    `success` is None where nobody judged the run; `reward` is in [-1, 1] where the environment gave one.
    """

    task_id: str
    query: str
    environment: str
    steps: tuple[Step, ...]
    success: bool | None = None
    reward: float | None = None


class Kind(StrEnum):
    """The three kinds of entry (Metis §3.2)."""

    PLAN = "plan"
    FACT = "fact"
    PITFALL = "pitfall"


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Where an entry was seen: steps [start, stop) of one task's trajectory."""

    task_id: str
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One text-memory record. `signature` is the deterministic key (a plan's function sequence, run-collapsed).

    `confidence` is in [0, 1]; `valid` is the bit v of Metis §3.2; `implements` names tools made from a plan: D(p).
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
    evidence: tuple[Evidence, ...] = ()
    supersedes: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A plan found in a trajectory: `groups[i]` holds the step indices that carry `signature[i]`, in order.

    A group is empty where the task skipped a step; the first and the last are not.
    """

    trajectory: Trajectory
    groups: tuple[tuple[int, ...], ...]

    @property
    def start(self) -> int:
        return self.groups[0][0]

    @property
    def stop(self) -> int:
        return self.groups[-1][-1] + 1


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An entry that somebody wants to add; the memory gives it its content-addressed id.

    `source` says who or what it comes from (`user`, `task:<id>`).
    """

    kind: Kind
    scope: str
    title: str
    body: str
    source: str
    signature: tuple[str, ...] = ()
    confidence: float = 0.5
    evidence: tuple[Evidence, ...] = ()


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
    """An entry that answers a query, and its fused score in [0, 1]."""

    entry: Entry
    score: float
