"""What the release cycle works with, as one value: wired in runtime.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nucleate import events
from nucleate.jobs import Jobs
from nucleate.scopes import Scopes
from nucleate_codifier import AdmissionPolicy, Similar, Verdicts
from nucleate_sandbox import Environment, JsonObject, Outcome, Sandbox
from nucleate_text_memory import TextMemory
from nucleate_tool_library import LibraryUse, ToolLibrary, ToolVersion
from nucleate_tool_library.health import LibraryHealth
from nucleate_tool_library.release_gate import ReleasePolicy
from nucleate_tool_library.trials_canaries import Canaries
from nucleate_tool_library.trials_schemas import Schemas
from nucleate_tool_library.trials_store import Trials

RULE = "release rule"
DRIFT = "drift"


@dataclass(frozen=True, kw_only=True)
class ReleaseParts:
    """The stores, the sandbox and the rules.

    `run` calls a version in an environment without counting it as a use; `wake` says that work is queued.
    """

    library: ToolLibrary
    canaries: Canaries
    trials: Trials
    memory: TextMemory
    verdicts: Verdicts
    jobs: Jobs
    scopes: Scopes
    sandbox: Callable[[], Sandbox]
    run: Callable[[ToolVersion, JsonObject, Environment], Outcome]
    schemas: Schemas
    health: Callable[[str | None, LibraryUse], LibraryHealth]
    policy: AdmissionPolicy
    gate: ReleasePolicy = field(default_factory=ReleasePolicy)
    similar: Similar | None = None
    listen: events.Listener = events.ignore
    wake: Callable[[], None] = lambda: None
