"""What learning works with, as one value: wired in runtime.py, used behind the serving path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from nucleate.jobs import Jobs
from nucleate.scopes import Scopes
from nucleate_codifier import AdmissionPolicy, Decision, Recurrence, Similar, Verdicts
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Budget
from nucleate_sandbox import Sandbox
from nucleate_text_memory import TextMemory
from nucleate_tool_library import State, Tool, ToolLibrary, ToolVersion

USABLE = {Decision.ADMITTED: State.ACTIVE, Decision.PROVISIONAL: State.CANDIDATE}


@dataclass(frozen=True, kw_only=True)
class Codifiers:
    """Who writes tools: the trace codifier, a model within its budget, or first the one and then the other."""

    trace: bool = True
    model: ChatModel | None = None
    budget: Budget = field(default_factory=Budget)


class Releasing(Protocol):
    """The one way in for a version that admission let pass."""

    def release(self, version: ToolVersion, *, state: State, plan_id: str | None, by: str, why: str = "") -> Tool: ...


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The stores, the sandbox, the rules and the codifiers."""

    memory: TextMemory
    recurrence: Recurrence
    library: ToolLibrary
    verdicts: Verdicts
    jobs: Jobs
    scopes: Scopes
    sandbox: Callable[[], Sandbox]
    policy: AdmissionPolicy
    quorum: int
    releases: Callable[[], Releasing]
    codifiers: Codifiers = Codifiers()
    similar: Similar | None = None
    codifies: bool = True
