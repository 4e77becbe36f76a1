"""The front door. All wiring stands here: stores, sandbox, learning, tools."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, overload

from nucleate import events, telemetry
from nucleate.database import Database, briefly
from nucleate.environments.approvals import ApprovalGuard, Approvals
from nucleate.environments.approving import Approval
from nucleate.environments.known_environments import KnownEnvironments
from nucleate.environments.noted import noted
from nucleate.environments.scopes import as_environment
from nucleate.environments.steady_copies import SteadyCopies, Turns
from nucleate.errors import InputInvalid
from nucleate.executor import Budgets, Executor, RunListener, RunResult, RunTask
from nucleate.executor.executor import Judge, unjudged
from nucleate.executor.run_events import ignore
from nucleate.exports.offering import Framework, FrameworkTools, Provider, offered
from nucleate.exports.provider_tools import ProviderTools
from nucleate.hosting import EXIT_MILLISECONDS, Attaching, Hosting, Keeping, Leaving, left
from nucleate.jobs import Jobs, Pace, Worker, start_background
from nucleate.learning import OUTAGES, Behind, Learner
from nucleate.manager import NOTHING, Choice, Manager, ToolIndex
from nucleate.models.choose import chat_model, codifiers, embedder_of, required
from nucleate.modes import budgets_of, rules_of
from nucleate.recording import Recording
from nucleate.recording.agents import Query, recorded_agent
from nucleate.recording.intake import IngestReport, Intake, Origin
from nucleate.release.measuring import Measurer
from nucleate.release.releases import Releases
from nucleate.release.serving import ServedTools
from nucleate.sandboxes import LazySandbox
from nucleate.services import Services
from nucleate.settings.settings import Settings
from nucleate.tools import CallableTool
from nucleate_codifier import AdmissionPolicy, Candidate, Evidence, Verdict
from nucleate_codifier.chat import ChatModel
from nucleate_sandbox import Environment, FunctionSpec, JsonObject, Outcome, RecordedEnvironment, Sandbox
from nucleate_text_memory import Entry, Trajectory
from nucleate_tool_library import State, ToolVersion

P = ParamSpec("P")
R = TypeVar("R")


class Runtime:
    """Experience in, tested tools out, tools called.

    `environment` is any object whose methods an agent may call, or an Environment. `model` writes tools where the
    trace codifier refuses; the settings may name one instead. `approve` is asked before each destructive call.
    Learning happens behind the tasks, where `settings.worker` says. Closing the runtime, or leaving its `with` block,
    finishes what is queued, then ends the sandbox, the environments that it opened and the database connections.
    """

    def __init__(
        self,
        environment: object | None = None,
        *,
        settings: Settings | None = None,
        sandbox: Sandbox | None = None,
        policy: AdmissionPolicy | None = None,
        model: ChatModel | None = None,
        approve: Approval | None = None,
        listen: events.Listener = events.ignore,
    ) -> None:
        self.settings = settings or Settings()
        self._listen = listen
        if self.settings.telemetry_content:
            telemetry.install(telemetry.Telemetry(content=True))
        self._sandbox = LazySandbox(self.settings.sandbox, runtime=self.settings.sandbox_runtime, given=sandbox)
        self._hosting = Hosting(Database(self.settings.database), strict=self.settings.on_outage == "raise")
        self._hosting.attempt(lambda: None, None, what="opening the database")
        self._engine = self._hosting.database.engine
        self._pace, self._turns = Pace(), dict[str, Turns]()
        self.jobs = Jobs(self._engine)
        self._worker = Worker(self.jobs, outages=OUTAGES, pace=self._pace)
        self._background = start_background(self.settings.worker, self._worker, pace=self._pace)
        self.embedder = embedder_of(self.settings)
        self.policy = policy or AdmissionPolicy()
        services = Services(
            self._engine,
            self.settings,
            policy=self.policy,
            sandbox=self._sandbox.get,
            embedder=self.embedder,
            listen=listen,
            worker=self._worker,
            background=self._background,
        )
        self.memory, self.library, self.scopes = services.memory, services.library, services.scopes
        self.verdicts, self.recurrence = services.verdicts, services.recurrence
        self.known, self.approvals = KnownEnvironments(self._engine), Approvals(self._engine)
        self._guard = ApprovalGuard(
            self.settings.destructive,
            approve,
            named={*self.settings.destructive_allowed, *self.policy.approved_destructive},
            log=self.approvals,
        )
        self.manager = Manager(
            self.memory,
            self.library,
            ToolIndex(self.embedder),
            rules=rules_of(self.settings),
            functions=self.scopes.functions,
        )
        self._model = chat_model(self.settings, given=model, engine=self._engine)
        self._measurer = Measurer("inline" if self.settings.worker == "inline" else "thread")
        self.releases = Releases(services, self._measurer)
        self._serving = ServedTools(services, self.releases, self._measurer)
        behind = Behind.of(self._engine, self.settings, self._model)
        self._learner = Learner(
            services,
            self.releases.admission,
            behind=behind,
            codifiers=codifiers(self.settings, model=behind.model),
        )
        self._worker.add({**self._learner.handlers(), **self.releases.handlers()})
        self._attaching = Attaching(self._hosting, self.scopes, self.releases.attach)
        self._keeping = Keeping(
            self._hosting,
            self._attaching,
            memory=self.memory,
            schedule=self._learner.schedule,
            wake=self._wake,
            listen=listen,
        )
        self._worker.prepare = self._keeping.catch_up
        self._leaving = Leaving(
            self._learn_for, partial(left, self._hosting, self.jobs), seconds=self.settings.exit_seconds
        )
        self._closed = False
        self._default = self.attach(environment) if environment is not None else None

    def record(self, query: str, environment: object | None = None, *, task_id: str | None = None) -> Recording:
        """Record an agent's calls: `with runtime.record(query, shop) as run: agent(run.env)`."""
        if not isinstance(query, str) or not query.strip():
            raise InputInvalid(f"record({query!r}): say in words what the agent was asked")
        target = self._environment(environment)
        return self._recording(query, target, task_id, tools=self._chosen(query, target))

    def run(
        self,
        query: str,
        *,
        environment: object | None = None,
        task_id: str | None = None,
        budgets: Budgets | None = None,
        judge: Judge = unjudged,
        listen: RunListener = ignore,
    ) -> RunResult:
        """Do a task with the built-in agent, and record it; `judge` says whether an answer solved it."""
        target, model = self._environment(environment), required(self._model)
        choice = self._choose(query, target, model=self._chooser)
        recording = self._recording(query, target, task_id, tools=self._callables(choice, target), plans=choice.plans)
        task = RunTask(
            recording=recording,
            environment=target,
            choice=choice,
            functions=self.functions(target),
            later=self._bound_tools(self.manager.within_reach(target.name, self.callable_states), target),
            fitting=lambda answers: self._fitting(query, answers, target.name),
            budgets=budgets or budgets_of(self.settings),
            judge=judge,
            listen=listen,
        )
        return Executor(model=model, sandbox=self._sandbox.get, manager=self.manager).run(task)

    def choose(self, query: str, environment: object | None = None, *, model: ChatModel | None = None) -> Choice:
        """Return what the memory manager chooses for a query: entries and tools, closed, as guidance."""
        return self._choose(query, self._environment(environment), model=model or self._chooser)

    @property
    def _chooser(self) -> ChatModel | None:
        """Return the model that chooses, where the settings let one choose and one is there."""
        return self._model if self.settings.selection == "model" else None

    def functions(self, environment: object | None = None) -> Mapping[str, FunctionSpec]:
        """Return an environment's functions with what earlier calls have shown of them in their documentation."""
        target = self._environment(environment)
        return noted(target.functions, self.memory.notes(target.name))

    def learn(self, trajectory: Trajectory) -> bool:
        """Store a completed trajectory, to be learned from; False if it was known already.

        One that the database cannot take now waits beside it, and is taken in later.
        """
        self._check_open()
        return self._keeping.keep(trajectory)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing queued can be done any more; False if that takes longer than `timeout` seconds."""
        return self._background.wait(timeout)

    def _wake(self) -> None:
        if self.settings.worker == "thread":
            self._leaving.wait()
        if self.settings.worker == "thread" or not self._hosting.out:
            self._background.wake()

    def _learn_for(self, seconds: float) -> None:
        """Learn for a bounded time before the process ends; not at all where the database is out of order."""
        if not self._hosting.out or self._hosting.settle(EXIT_MILLISECONDS):
            with briefly(writes=False):
                self._background.wait(seconds)

    def recorded(
        self, *, query: Query = "query", environment: object | None = None, offer: bool = False
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorate an agent: each call is a task, and clients among its arguments are recorded, and offered tools."""
        return recorded_agent(partial(self.record, environment=environment), query=query, offer=offer)

    def ingest(self, lines: Iterable[str], *, environment: str | None = None, format: str = "auto") -> IngestReport:  # noqa: A002
        """Learn from a recording of a known format, in order; a malformed line is reported and skipped."""
        return self.take(lines, Origin(environment=environment, format=format))

    def take(self, lines: Iterable[str], origin: Origin) -> IngestReport:
        """Learn from a recording whose origin says more than `ingest` asks for."""
        return Intake(self.learn, self.scopes, calls=self.memory.recorded_calls).take(lines, origin)

    def resume(self) -> int:
        """Take up what a killed process left: unlearned trajectories, unfinished jobs, plans that became due."""
        self._learner.resume()
        return self.drain()

    def drain(self) -> int:
        """Do in this thread what can be done now; return how many jobs ended well."""
        return self._worker.drain_now()

    def stop(self) -> None:
        """Begin no other job, and give the one in hand back; a signal's handler may say so."""
        self._worker.stop()

    @overload
    def tools_for(self, query: str, environment: object | None = None) -> tuple[CallableTool, ...]: ...
    @overload
    def tools_for(self, query: str, environment: object | None = None, *, format: Provider) -> ProviderTools: ...
    @overload
    def tools_for(self, query: str, environment: object | None = None, *, format: Framework) -> FrameworkTools: ...
    def tools_for(self, query: str, environment: object | None = None, *, format: str | None = None) -> Sequence[Any]:  # noqa: A002
        """Return the tools selected for a query, closed under dependencies: as callables, or in one format."""
        target = self._environment(environment)
        tools = self._chosen(query, target, model=self._chooser)
        return tools if format is None else offered(tools, format)

    def recall(self, query: str, *, scope: str) -> Sequence[Entry]:
        """Return the text entries selected for a query."""
        return [item.entry for item in self.manager.entries(query, scope=scope)]

    def call(
        self, name: str, arguments: JsonObject, environment: object | None = None, *, path: str = "api"
    ) -> Outcome:
        """Call one tool by name; what it did is a value."""
        target = self._environment(environment)
        version = self.library.tool(name, scope=target.name).version
        return self._serving.run(version, arguments, environment=target, path=path)

    def call_version(
        self, version: ToolVersion, arguments: JsonObject, environment: Environment, *, path: str = "api"
    ) -> Outcome:
        """Call a version that was looked up already, or the one that is on trial in its place."""
        return self._serving.run(version, arguments, environment=self.attach(environment), path=path)

    def redo(self, version: ToolVersion, arguments: JsonObject, recording: RecordedEnvironment) -> Outcome:
        """Run a version against a recording; it is no use of the tool, and nothing but the recording answers."""
        return self._serving.redo(version, arguments, recording)

    def test(self, name: str, *, scope: str | None = None) -> Verdict:
        """Judge a registered tool again, on its stored evidence; a passing candidate becomes active."""
        return self.releases.test(name, scope)

    def judge(self, candidate: Candidate, evidence: Evidence) -> Verdict:
        """Judge a candidate by every gate, beside the tools of its environment but itself; keep the verdict."""
        admission = self.releases.admission
        return admission.judge(admission.subject(candidate, evidence))

    def close(self, *, wait: bool = True) -> None:
        """Finish queued work, or leave it to a later process; end the sandbox and the database connections.

        While the database is out of order nothing is waited for.
        """
        self._closed = True
        self._leaving.release()
        try:
            self._measurer.close()
            self._background.close(wait=wait and (not self._hosting.out or self._hosting.settle()))
        finally:
            self._hosting.flush()
            self._sandbox.close()
            self.known.close()
            self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(wait=kind is None or issubclass(kind, Exception))

    @property
    def worker(self) -> Worker:
        """Return what does the jobs of this process."""
        return self._worker

    @property
    def sandbox(self) -> Sandbox:
        """Return the sandbox, started when it is first asked for."""
        return self._sandbox.get()

    def _recording(
        self,
        query: str,
        environment: Environment,
        task_id: str | None,
        *,
        tools: Sequence[CallableTool],
        plans: Sequence[str] = (),
    ) -> Recording:
        return Recording(
            query,
            task_id=task_id or f"task-{uuid.uuid4().hex[:12]}",
            environment=environment,
            tools=tools,
            store=self._keeping.recorded,
            under_way=self._pace.task(),
            selected=plans,
        )

    def _choose(self, query: str, environment: Environment, *, model: ChatModel | None = None) -> Choice:
        return self.manager.choose(query, scope=environment.name, states=self.callable_states, model=model)

    def _chosen(
        self, query: str, environment: Environment, *, model: ChatModel | None = None
    ) -> tuple[CallableTool, ...]:
        """Return the tools for a query; none where nothing can be chosen now."""
        choice = self._hosting.attempt(
            lambda: self._choose(query, environment, model=model), NOTHING, what="choosing tools"
        )
        return self._callables(choice, environment)

    def _callables(self, choice: Choice, environment: Environment) -> tuple[CallableTool, ...]:
        return self._bound_tools(choice.closure, environment)

    def _bound_tools(self, versions: Iterable[ToolVersion], environment: Environment) -> tuple[CallableTool, ...]:
        return tuple(CallableTool(version, self._bound(environment)) for version in versions)

    def _fitting(self, query: str, answers: Sequence[str], scope: str) -> list[ToolVersion]:
        offers = self.manager.offers([query], answers, scope=scope, states=self.callable_states)
        return [item.version for item in offers]

    @property
    def callable_states(self) -> tuple[State, ...]:
        """Return the states of tools that agents may call."""
        provisional = (State.CANDIDATE,) if self.settings.allow_provisional else ()
        return (State.ACTIVE, State.CANARY, *provisional)

    def _bound(self, environment: Environment) -> Callable[[ToolVersion, JsonObject], Outcome]:
        return partial(self._serving.run, environment=environment, path="agent")

    def attach(self, environment: object) -> Environment:
        """Remember an environment's functions, and return the environment as the runtime calls it."""
        target = as_environment(environment)
        if not isinstance(target, SteadyCopies | RecordedEnvironment):
            target = SteadyCopies(self._guard.over(target), self._turns.setdefault(target.name, Turns()))
        self._attaching.attach(target)
        return target

    def _environment(self, environment: object | None) -> Environment:
        self._check_open()
        if environment is not None:
            return self.attach(environment)
        if self._default is None:
            raise InputInvalid("no environment was given; hand one to Runtime(environment) or to this call")
        return self._default

    def _check_open(self) -> None:
        if self._closed:
            raise InputInvalid("this runtime is closed; make another with Runtime(…)")
