"""What happens during a run, as values for whoever shows it: a terminal, a web page, a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from nucleate.executor.actions import Action
from nucleate.executor.budgets import RunSpent
from nucleate.executor.result import RunResult
from nucleate.manager.choice import Choice
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Step


@dataclass(frozen=True, kw_only=True)
class RunStarted:
    """A run begins, with what the memory manager chose for it."""

    task_id: str
    query: str
    environment: str
    choice: Choice


@dataclass(frozen=True, kw_only=True)
class ModelAsked:
    """The model is being asked for step `number`."""

    number: int


@dataclass(frozen=True, kw_only=True)
class Acting:
    """The model replied, and its action is carried out."""

    number: int
    action: Action
    spent: RunSpent


@dataclass(frozen=True, kw_only=True)
class Calling:
    """A function or a tool is called; it may come from the middle of a block, and from any thread."""

    name: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True)
class Observed:
    """An action has ended: what the model is told, and the calls that it made."""

    number: int
    observation: str
    steps: tuple[Step, ...]
    spent: RunSpent


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """A reply could not be read; the model was told why."""

    problem: str
    spent: RunSpent


@dataclass(frozen=True, kw_only=True)
class Retrying:
    """The sandbox or the model is out of order; it is tried again after a pause."""

    what: str
    error: str
    seconds: float


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """The run has ended, and its trajectory is stored."""

    result: RunResult


RunEvent: TypeAlias = RunStarted | ModelAsked | Acting | Calling | Observed | Corrected | Retrying | RunEnded
RunListener: TypeAlias = Callable[[RunEvent], None]


def ignore(_event: RunEvent) -> None:
    """Listen to nothing."""
