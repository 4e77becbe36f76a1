"""The loop behind the serving path: select, codify, reflect, each as a job that can be killed and resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy import Connection

from nucleate import events
from nucleate.jobs import Effect, Handler, Job, NewJob
from nucleate.learning.background_models import Behind
from nucleate.learning.covering import covering
from nucleate.learning.reviewing import Reviewing
from nucleate.learning.seen_values import SeenValues
from nucleate.learning.trace_codifying import TraceCodifying
from nucleate.models.choose import Codifiers
from nucleate.modes import codifies
from nucleate.release.admission import Admission
from nucleate.release.contradictions import Contradictions
from nucleate.services import Services
from nucleate_codifier import Buffer
from nucleate_codifier.chat import ModelError
from nucleate_sandbox import Effect as FunctionEffect
from nucleate_sandbox import SandboxError
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool

OUTAGES = (SandboxError, ModelError)
KINDS = ("select", "reflect", "observe")


class Learner:
    """Codify first, then reflect with the updated library (Metis §3.1), task after task within one environment."""

    def __init__(
        self,
        services: Services,
        admission: Admission,
        *,
        behind: Behind,
        codifiers: Codifiers,
    ) -> None:
        self._services = services
        self._admission = admission
        self._codifiers = codifiers
        self._daily = behind.daily
        self._seen = SeenValues(services.memory)
        self._contradictions = Contradictions(services)
        self._reviewing = Reviewing(services, behind.reflector) if behind.reflector else None
        self._kinds = (*KINDS, "review") if self._reviewing else KINDS

    def schedule(self, task_id: str, scope: str) -> None:
        """Queue what is to be learned from a stored trajectory, once."""
        self._services.jobs.put_together(
            [NewJob(kind=kind, subject=task_id, key=_key(kind, task_id), lane=scope) for kind in self._kinds]
        )

    def resume(self) -> None:
        """Queue what a killed process left: unlearned trajectories, plans that became due, jobs that wait."""
        known = self._services.jobs.keys()
        for scope in self._services.memory.scopes():
            for task_id in self._services.memory.task_ids(scope):
                if not known.issuperset(_key(kind, task_id) for kind in self._kinds):
                    self.schedule(task_id, scope)
        for plan in self._services.memory.entries(kind="plan"):
            self._queue_codify(plan, turn=0)
        self._services.jobs.hasten()

    def handlers(self) -> Mapping[str, Handler]:
        """Return what does each kind of job."""
        own: dict[str, Handler] = {"select": self._select, "codify": self._codify, "reflect": self._reflect}
        return own if self._reviewing is None else {**own, "review": self._reviewing.handle}

    def _select(self, job: Job) -> None:
        """Count the task for every plan that it followed, by its input, and queue those that are due."""
        trajectory = self._services.memory.trajectory(job.subject)
        followed = self._services.memory.followed(trajectory)
        self._contradictions.look(trajectory.environment, job.subject, [plan for plan, _ in followed])
        for plan, key in followed:
            buffer = self._services.recurrence.select(plan.id, task_id=job.subject, input_key=key)
            self._services.say(events.PlanSelected(plan=plan, size=len(buffer.candidates), threshold=buffer.threshold))
            self._queue_codify(plan, turn=job.turn)

    def _queue_codify(self, plan: Entry, *, turn: int) -> None:
        """Queue a plan that is due, once per state of its buffer, in a scope whose functions are known."""
        buffer = self._services.recurrence.buffer(plan.id)
        if codifies(self._services.settings) and buffer.due and self._services.scopes.knows(plan.scope):
            key = _attempt_key(plan.id, buffer)
            self._services.jobs.put("codify", plan.id, key=key, lane=plan.scope, turn=turn)

    def _reflect(self, job: Job) -> None:
        """Induce plans, pitfalls and facts; the tasks behind a new plan become its related history."""
        memory = self._services.memory
        scope = memory.trajectory(job.subject).environment
        functions = self._services.scopes.functions(scope)
        docs = {name: spec.doc for name, spec in functions.items()}
        writes = frozenset(name for name, spec in functions.items() if spec.effect is not FunctionEffect.READ)
        quorum = self._services.settings.quorum
        for entry in memory.reflect(job.subject, quorum=quorum, docs=docs, writes=writes).entries:
            self._services.say(events.EntryAdded(entry=entry))
            if entry.kind == "plan":
                related = memory.inputs(entry.id, task_ids={item.task_id for item in entry.evidence})
                self._services.recurrence.relate(entry.id, related)

    def _codify(self, job: Job) -> Effect | None:
        """Write a tool for a plan that is due; what its buffer becomes is part of the job's end."""
        buffer = self._services.recurrence.buffer(job.subject)
        plan = self._services.memory.entry(job.subject)
        if not plan.valid or not buffer.due:
            return None  # resumed after the work was done, or the plan was invalidated meanwhile
        newest = buffer.candidates[-1]
        occurrences = self._services.memory.occurrences(plan.id, until=newest)
        tools = self._services.tools(plan.scope)
        covered_by = covering(plan, tools, occurrences)
        if covered_by is not None:
            self._services.memory.link_tool(plan.id, covered_by)
            self._services.say(events.AlreadyCovered(plan=plan, tool=covered_by))
            return partial(self._codified, plan.id)
        done = self._attempt(plan, occurrences, tools, buffer)
        return partial(self._codified if done else self._refused, plan.id)

    def _attempt(self, plan: Entry, occurrences: list[Occurrence], tools: Sequence[Tool], buffer: Buffer) -> bool:
        """Let the trace codifier try, since it costs nothing, then the model."""
        codifiers = self._codifiers
        tracing = TraceCodifying(self._services, self._admission, tools, self._seen)
        key, newest = _attempt_key(plan.id, buffer), buffer.candidates[-1]
        if codifiers.trace and tracing.codify(plan, occurrences, attempt=key, until=newest):
            return True
        if codifiers.model is None:
            return False
        self._daily.attempt()
        from nucleate.learning.model_codifying import ModelCodifying  # slow to import, and few attempts need it

        modelling = ModelCodifying(self._services, self._admission, codifiers.model, codifiers.budget, tools=tools)
        return modelling.codify(plan, occurrences)

    def _codified(self, plan_id: str, connection: Connection) -> None:
        self._services.recurrence.within(connection).codified(plan_id)

    def _refused(self, plan_id: str, connection: Connection) -> None:
        self._services.recurrence.within(connection).refused(plan_id)


def _key(kind: str, task_id: str) -> str:
    return f"{kind}:{task_id}"


def _attempt_key(plan_id: str, buffer: Buffer) -> str:
    """Name one state of a plan's buffer."""
    return f"codify:{plan_id}:{buffer.candidates[-1]}"
