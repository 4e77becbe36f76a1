"""One attempt of the model codifier in the runtime: every verdict is recorded, all helpers are registered or none."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate import events
from nucleate.parts import USABLE, Parts
from nucleate.versions import version_of, view_of
from nucleate_codifier import Candidate, Finding, refusal_verdict
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Attempt, Court, Judged, Tools, Workshop, codify_with_model, prepare
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool


class ModelCodifying:
    """Lets one model write tools for plans; `tools` are those of the plans' scope, read once."""

    def __init__(self, parts: Parts, model: ChatModel, *, tools: Sequence[Tool], listen: events.Listener) -> None:
        self._parts = parts
        self._model = model
        self._library = view_of(tools, parts.similar)
        self._listen = listen

    def codify(self, plan: Entry, occurrences: Sequence[Occurrence]) -> bool:
        """Return whether tools were registered. ModelError and SandboxError are outages: the plan stays due."""
        brief, records = prepare(
            plan,
            occurrences,
            buffered=self._parts.recurrence.buffer(plan.id).candidates,
            functions=self._parts.scopes.view(plan.scope).functions,
            library=self._library,
            name_taken=frozenset(self._parts.library.names(plan.scope)),
        )
        attempt = codify_with_model(brief, records, self._tools(plan))
        if attempt.finding is not None:
            self._refuse(plan, attempt, attempt.finding)
        for judged in attempt.accepted:
            self._register(plan, judged)
        return bool(attempt.accepted)

    def _tools(self, plan: Entry) -> Tools:
        environment = self._parts.scopes.view(plan.scope)
        sandbox = self._parts.sandbox()
        return Tools(
            model=self._model,
            budget=self._parts.codifiers.budget,
            workshop=Workshop(environment=environment, library=self._library, sandbox=sandbox),
            court=Court(
                environment=environment,
                sandbox=sandbox,
                policy=self._parts.policy,
                on_candidate=lambda item: self._listen(events.CandidateMade(plan=plan, candidate=item)),
                on_gate=lambda item, report: self._listen(events.GateJudged(candidate=item, report=report)),
                on_round=self._record,
            ),
            rank=self._parts.memory.rank,
        )

    def _record(self, judgements: tuple[Judged, ...]) -> None:
        """Store the verdicts of one round as soon as they are there, whatever becomes of the attempt."""
        refused = not all(judged.accepted for judged in judgements)
        for judged in judgements:
            self._parts.verdicts.add(judged.candidate, judged.verdict)
            if refused:
                event = events.CandidateJudged(candidate=judged.candidate, verdict=judged.verdict, tool=None)
                self._listen(event)

    def _refuse(self, plan: Entry, attempt: Attempt, finding: Finding) -> None:
        """Store why the attempt ended, and what it took."""
        end = Candidate(name=plan.title, scope=plan.scope, source="", plan_id=plan.id, origin=attempt.origin)
        self._parts.verdicts.add(end, refusal_verdict(plan.title, (finding,)))
        self._listen(events.CodifierRefused(plan=plan, findings=(finding,)))

    def _register(self, plan: Entry, judged: Judged) -> Tool:
        """Register one helper; dependencies come first, and each step can be repeated."""
        version = version_of(judged.candidate, evidence=judged.evidence, verdict=judged.verdict)
        state = USABLE[judged.verdict.decision]
        tool = self._parts.releases().release(version, state=state, plan_id=plan.id, by="admission")
        self._parts.memory.link_tool(plan.id, tool.name)
        event = events.CandidateJudged(candidate=judged.candidate, verdict=judged.verdict, tool=tool)
        self._listen(event)
        return tool
