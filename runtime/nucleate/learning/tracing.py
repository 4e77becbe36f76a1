"""One attempt of the trace codifier in the runtime: its candidate judged, registered, or refused with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nucleate import events, telemetry
from nucleate.parts import USABLE, Parts
from nucleate.versions import version_of, view_of
from nucleate_codifier import (
    Candidate,
    Codified,
    Decision,
    LibraryView,
    Refusal,
    Subject,
    Verdict,
    admit_once,
    codify,
    refusal_verdict,
)
from nucleate_sandbox import SandboxError
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool


class TraceCodifying:
    """Lets the trace codifier write a tool for a plan; `tools` are those of the plan's scope, read once."""

    def __init__(self, parts: Parts, tools: Sequence[Tool], *, listen: events.Listener) -> None:
        self._parts = parts
        self._tools = tools
        self._listen = listen

    def codify(self, plan: Entry, occurrences: Sequence[Occurrence], *, attempt: str, until: str) -> bool:
        """Return whether a tool was registered.

        `attempt` names the state of the plan's buffer, and `until` is the newest task in it.
        """
        view = self._parts.scopes.view(plan.scope)
        library = view_of(self._tools, self._parts.similar)
        taken = set(self._parts.library.names(plan.scope))  # old names too: they still lead to their tools
        runs = [*occurrences, *self._parts.memory.skipping(plan.id, until=until)]
        result = codify(plan, runs, functions=view.functions, library=library, name_taken=taken)
        if isinstance(result, Refusal):
            self._refuse(plan, result, attempt)
            return False
        self._listen(events.CandidateMade(plan=plan, candidate=result.candidate))
        return self._judge(plan, result, library)

    def _refuse(self, plan: Entry, refusal: Refusal, attempt: str) -> None:
        """Store the refusal once, however often an outage of the model makes the attempt begin again."""
        candidate = Candidate(name=plan.title, scope=plan.scope, source="", plan_id=plan.id)
        verdict = replace(refusal_verdict(plan.title, refusal.findings), depends_on=attempt)
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
        with telemetry.span("admit", {"nucleate.candidate": candidate.name}) as noted:
            verdict = admit_once(
                subject,
                memory=self._parts.verdicts,
                on_gate=lambda report: self._listen(events.GateJudged(candidate=candidate, report=report)),
            )
            noted.set({"nucleate.decision": verdict.decision.value})
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
        tool = self._parts.releases().release(version, state=state, plan_id=plan.id, by="admission")
        self._parts.memory.link_tool(plan.id, tool.name)
        return tool
