"""What the parts of the runtime work with: the stores of one database, the sandbox, the rules, and who listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Engine

from nucleate import events
from nucleate.environments.calls_under_way import Stoppable
from nucleate.environments.scopes import Scopes
from nucleate.jobs import Background, Jobs, Worker
from nucleate.modes import theta_of
from nucleate.settings.settings import Settings
from nucleate.tools import ToolRunner
from nucleate_codifier import AdmissionPolicy, Recurrence, Verdicts
from nucleate_codifier.admission.generality.duplicates import ByEmbedding
from nucleate_sandbox import Limits, Sandbox
from nucleate_text_memory import Embedder, TextMemory
from nucleate_tool_library import Kept, Tool, ToolLibrary
from nucleate_tool_library.trials.canaries import Canaries
from nucleate_tool_library.trials.schemas_in_use import SchemasInUse
from nucleate_tool_library.trials.trial_store import Trials


class Services:
    """Made once for a runtime, and handed to whatever learns, judges, releases or serves."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        *,
        policy: AdmissionPolicy,
        sandbox: Callable[[], Sandbox],
        embedder: Embedder,
        listen: events.Listener,
        worker: Worker,
        background: Background,
    ) -> None:
        self.engine, self.settings, self.policy = engine, settings, policy
        self.memory = TextMemory(engine, embedder=embedder)
        self.recurrence = Recurrence(engine, theta=theta_of(settings), beta=settings.beta)
        self.library, self.canaries = ToolLibrary(engine), Canaries(engine)
        self._tools: Kept[str, Sequence[Tool]] = Kept(self.library, self.library.tools)
        self.trials, self.schemas = Trials(engine), SchemasInUse(engine)
        self.verdicts = Verdicts(engine)
        self.jobs: Jobs = worker.jobs
        self.scopes = Scopes(engine)
        self.sandbox = sandbox
        self.runner = ToolRunner(
            self.library,
            lambda: Stoppable(sandbox()),
            limits=Limits(),
            policy=policy,
            only_judged=settings.without_docker == "refuse",
        )
        self.similar = ByEmbedding(embedder=embedder)
        self.listen = listen
        self.checkpoint, self.wake = worker.checkpoint, background.wake

    def tools(self, scope: str) -> Sequence[Tool]:
        """Return the tools of a scope in every state; how often they were used is as of when they were read."""
        return self._tools.get(scope)

    def say(self, event: events.Event) -> None:
        """Tell what happened; between two events a job may rest, or be given back."""
        self.listen(event)
        self.checkpoint()
