"""The loop behind the serving path: select, codify, reflect, each as a job that can be killed and resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nucleate import events
from nucleate.jobs import Handler
from nucleate.models.codifying import ModelCodifying
from nucleate.parts import USABLE, Parts
from nucleate.versions import version_of, view_of
from nucleate_codifier import (
    Buffer,
    Candidate,
    Codified,
    Decision,
    LibraryView,
    Refusal,
    Subject,
    Template,
    Verdict,
    admit_once,
    codify,
    refusal_verdict,
)
from nucleate_codifier.chat import ModelError
from nucleate_sandbox import SandboxError
from nucleate_text_memory import Entry, Occurrence, input_key
from nucleate_tool_library import Tool

MATCHED = 2 / 3
OUTAGES = (SandboxError, ModelError)


class Learner:
    """Codify first, then reflect (Metis §3.1), on completed trajectories, in the order they were stored."""

    def __init__(self, parts: Parts, *, listen: events.Listener = events.ignore) -> None:
        self._parts = parts
        self._listen = listen

    def schedule(self, task_id: str) -> None:
        """Queue what is to be learned from a stored trajectory, once."""
        for kind in ("select", "reflect"):
            self._parts.jobs.put(kind, task_id, key=f"{kind}:{task_id}")

    def handlers(self) -> Mapping[str, Handler]:
        """Return what does each kind of job."""
        return {
            "select": lambda job: self._select(job.subject),
            "reflect": lambda job: self._reflect(job.subject),
            "codify": lambda job: self._codify(job.subject),
        }

    def _select(self, task_id: str) -> None:
        """Count the task for every plan that its trace carries, and queue the plans that are due."""
        trajectory = self._parts.memory.trajectory(task_id)
        for plan in self._parts.memory.plans_in(trajectory):
            key = input_key(trajectory.query)
            buffer = self._parts.recurrence.select(plan.id, task_id=task_id, input_key=key)
            self._listen(events.PlanSelected(plan=plan, size=len(buffer.candidates), threshold=buffer.threshold))
            if buffer.due:
                self.queue_codify(plan.id)

    def queue_codify(self, plan_id: str) -> None:
        """Queue a plan that is due, once per state of its buffer, in a scope whose functions are known."""
        buffer = self._parts.recurrence.buffer(plan_id)
        plan = self._parts.memory.entry(plan_id)
        if buffer.due and self._parts.scopes.knows(plan.scope):
            self._parts.jobs.put("codify", plan_id, key=_attempt_key(plan_id, buffer))

    def _reflect(self, task_id: str) -> None:
        """Induce plans, pitfalls and facts; the tasks behind a new plan become its related history."""
        memory = self._parts.memory
        scope = memory.trajectory(task_id).environment
        docs = self._docs(scope)
        for entry in memory.reflect(task_id, quorum=self._parts.quorum, docs=docs).entries:
            self._listen(events.EntryAdded(entry=entry))
            if entry.kind == "plan":
                tasks = [memory.trajectory(item.task_id) for item in entry.evidence]
                self._parts.recurrence.relate(entry.id, [(task.task_id, input_key(task.query)) for task in tasks])

    def _docs(self, scope: str) -> dict[str, str]:
        if not self._parts.scopes.knows(scope):
            return {}
        return {name: spec.doc for name, spec in self._parts.scopes.view(scope).functions.items()}

    def _codify(self, plan_id: str) -> None:
        plan = self._parts.memory.entry(plan_id)
        if not plan.valid or not self._parts.recurrence.buffer(plan_id).due:
            return  # resumed after the work was done, or the plan was invalidated meanwhile
        occurrences = self._occurrences(plan)
        tools = self._parts.library.tools(scope=plan.scope)
        covered_by = _covering(plan, tools, occurrences)
        if covered_by is not None:
            self._parts.memory.link_tool(plan_id, covered_by)
            self._parts.recurrence.codified(plan_id)
            self._listen(events.AlreadyCovered(plan=plan, tool=covered_by))
            return
        self._attempt(plan, occurrences, tools)

    def _occurrences(self, plan: Entry) -> list[Occurrence]:
        buffer = self._parts.recurrence.buffer(plan.id)
        return self._parts.memory.occurrences(plan.id, task_ids={*buffer.candidates, *buffer.related})

    def _attempt(self, plan: Entry, occurrences: list[Occurrence], tools: Sequence[Tool]) -> None:
        """Let the trace codifier try, since it costs nothing, then the model; back off where neither succeeds."""
        codifiers = self._parts.codifiers
        done = codifiers.trace and self._trace(plan, occurrences, tools)
        if not done and codifiers.model is not None:
            done = ModelCodifying(self._parts, codifiers.model, listen=self._listen).codify(plan, occurrences)
        if done:
            self._parts.recurrence.codified(plan.id)
        else:
            self._parts.recurrence.refused(plan.id)

    def _trace(self, plan: Entry, occurrences: list[Occurrence], tools: Sequence[Tool]) -> bool:
        view = self._parts.scopes.view(plan.scope)
        library = view_of(tools, self._parts.similar)
        taken = {tool.name for tool in tools}
        runs = [*occurrences, *self._parts.memory.skipping(plan.id)]
        result = codify(plan, runs, functions=view.functions, library=library, name_taken=taken)
        if isinstance(result, Refusal):
            self._refuse(plan, result)
            return False
        self._listen(events.CandidateMade(plan=plan, candidate=result.candidate))
        return self._judge(plan, result, library)

    def _refuse(self, plan: Entry, refusal: Refusal) -> None:
        """Store the refusal once, however often an outage of the model makes the attempt begin again."""
        candidate = Candidate(name=plan.title, scope=plan.scope, source="", plan_id=plan.id)
        key = _attempt_key(plan.id, self._parts.recurrence.buffer(plan.id))
        verdict = replace(refusal_verdict(plan.title, refusal.findings), depends_on=key)
        self._parts.verdicts.add(candidate, verdict)
        self._listen(events.CodifierRefused(plan=plan, findings=refusal.findings))

    def _judge(self, plan: Entry, codified: Codified, library: LibraryView) -> bool:
        candidate = codified.candidate
        subject = Subject(
            candidate=candidate,
            library=library,
            environment=self._parts.scopes.view(plan.scope),
            sandbox=self._parts.sandbox(),
            evidence=codified.evidence,
            policy=self._parts.policy,
        )
        verdict = admit_once(
            subject,
            memory=self._parts.verdicts,
            on_gate=lambda report: self._listen(events.GateJudged(candidate=candidate, report=report)),
        )
        if verdict.decision is Decision.UNJUDGED:
            raise SandboxError("; ".join(finding.message for finding in verdict.findings))
        tool = self._register(plan, codified, verdict)
        self._listen(events.CandidateJudged(candidate=candidate, verdict=verdict, tool=tool))
        return tool is not None

    def _register(self, plan: Entry, codified: Codified, verdict: Verdict) -> Tool | None:
        """Register what was admitted. Each step can be repeated, so a kill between two of them loses nothing."""
        if verdict.decision not in USABLE:
            return None
        version = version_of(codified.candidate, evidence=codified.evidence, verdict=verdict)
        state = USABLE[verdict.decision]
        tool = self._parts.library.register(version, state=state, plan_id=plan.id, approved_by="admission")
        self._parts.memory.link_tool(plan.id, tool.name)
        return tool


def _attempt_key(plan_id: str, buffer: Buffer) -> str:
    """Name one state of a plan's buffer."""
    return f"codify:{plan_id}:{buffer.candidates[-1]}"


def _covering(plan: Entry, tools: Sequence[Tool], occurrences: Sequence[Occurrence]) -> str | None:
    """Return a tool in force that does what the plan does."""
    usable = (tool for tool in tools if tool.state in USABLE.values())
    return next((tool.name for tool in usable if _covers(tool, plan, occurrences)), None)


def _covers(tool: Tool, plan: Entry, occurrences: Sequence[Occurrence]) -> bool:
    """Return whether a tool does two thirds of a plan's runs, as codification would ask.

    A model's tool has no template to recognise runs by: while it is in force, its own plan counts as covered.
    """
    if not tool.version.template:
        return tool.plan_id == plan.id
    template = Template.from_json(tool.version.template)
    return sum(_does(template, run) for run in occurrences) >= MATCHED * len(occurrences)


def _does(template: Template, run: Occurrence) -> bool:
    match = template.match(run.trajectory.steps, run.start)
    return match is not None and match.stop == run.stop
