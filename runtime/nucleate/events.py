"""What happens while the runtime learns, as values for whoever listens (the demo, a log, a test)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from nucleate_codifier import Candidate, Finding, GateReport, Verdict
from nucleate_text_memory import Entry, Trajectory
from nucleate_tool_library import State, Tool


@dataclass(frozen=True, kw_only=True)
class TaskStored:
    """A trajectory is in the database."""

    trajectory: Trajectory


@dataclass(frozen=True, kw_only=True)
class PlanSelected:
    """A task selected a plan: |B(p)| against the size at which it is codified."""

    plan: Entry
    size: int
    threshold: int


@dataclass(frozen=True, kw_only=True)
class EntryAdded:
    """Reflection wrote a plan, a fact or a pitfall."""

    entry: Entry


@dataclass(frozen=True, kw_only=True)
class CandidateMade:
    """The codifier wrote a candidate from a plan."""

    plan: Entry
    candidate: Candidate


@dataclass(frozen=True, kw_only=True)
class CodifierRefused:
    """The codifier could not write a candidate; the findings say which observation would decide."""

    plan: Entry
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class GateJudged:
    """One gate has judged a candidate."""

    candidate: Candidate
    report: GateReport


@dataclass(frozen=True, kw_only=True)
class CandidateJudged:
    """All gates have judged a candidate; `tool` is what was registered, if anything was."""

    candidate: Candidate
    verdict: Verdict
    tool: Tool | None


@dataclass(frozen=True, kw_only=True)
class AlreadyCovered:
    """A plan was due, and a tool that is in force already does the same."""

    plan: Entry
    tool: str


@dataclass(frozen=True, kw_only=True)
class ToolReleased:
    """A version of a tool went from one state to another, by a rule or by a person, and why."""

    name: str
    scope: str
    was: State | None
    now: State
    by: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """A model has reflected on a task: the entries that it wrote, and why other proposals did not count."""

    task_id: str
    entries: tuple[Entry, ...]
    refused: tuple[str, ...]


Event: TypeAlias = (
    TaskStored
    | PlanSelected
    | EntryAdded
    | CandidateMade
    | CodifierRefused
    | GateJudged
    | CandidateJudged
    | AlreadyCovered
    | Reviewed
    | ToolReleased
)
Listener: TypeAlias = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Listen to nothing."""
