"""One attempt of the trace codifier in the runtime: its candidate judged, registered, or refused with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nucleate import events
from nucleate.learning.seen_values import SeenValues
from nucleate.release.admission import Admission, Proposal
from nucleate.services import Services
from nucleate.versions import view_of
from nucleate_codifier import Candidate, Refusal, codify, refusal_verdict
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool


class TraceCodifying:
    """Lets the trace codifier write a tool for a plan; `tools` are those of the plan's scope, read once.

    `seen` tells what the runs of the scope show of its values.
    """

    def __init__(self, services: Services, admission: Admission, tools: Sequence[Tool], seen: SeenValues) -> None:
        self._services = services
        self._admission = admission
        self._tools = tools
        self._seen = seen

    def codify(self, plan: Entry, occurrences: Sequence[Occurrence], *, attempt: str, until: str) -> bool:
        """Return whether a tool was registered.

        `attempt` names the state of the plan's buffer, and `until` is the newest task in it.
        """
        view = self._services.scopes.view(plan.scope)
        library = view_of(self._tools, self._services.similar)
        taken = set(self._services.library.names(plan.scope))  # old names too: they still lead to their tools
        runs = [*occurrences, *self._services.memory.skipping(plan.id, until=until)]
        seen = self._seen.until(plan.scope, until)
        result = codify(plan, runs, functions=view.functions, library=library, name_taken=taken, entities=seen)
        if isinstance(result, Refusal):
            self._refuse(plan, result, attempt)
            return False
        self._services.say(events.CandidateMade(plan=plan, candidate=result.candidate))
        tool = self._admission.propose(Proposal(candidate=result.candidate, evidence=result.evidence)).tool
        if tool is not None:
            self._services.memory.link_tool(plan.id, tool.name)
        return tool is not None

    def _refuse(self, plan: Entry, refusal: Refusal, attempt: str) -> None:
        """Store the refusal once, however often an outage of the model makes the attempt begin again."""
        candidate = Candidate(name=plan.title, scope=plan.scope, source="", plan_id=plan.id)
        verdict = replace(refusal_verdict(plan.title, refusal.findings), depends_on=attempt)
        self._services.verdicts.add(candidate, verdict)
        self._services.say(events.CodifierRefused(plan=plan, findings=refusal.findings))
