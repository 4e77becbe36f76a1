"""One attempt of the model codifier in the runtime: every verdict is recorded, all helpers are registered or none."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate import events
from nucleate.environments.noted import noted
from nucleate.release.admission import Admission, Proposal
from nucleate.services import Services
from nucleate.versions import view_of
from nucleate_codifier import Candidate, Finding, refusal_verdict
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import (
    Attempt,
    Budget,
    HelperJudge,
    JudgedHelper,
    Tools,
    Workshop,
    codify_with_model,
    prepare,
)
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool


class ModelCodifying:
    """Lets one model write tools for plans; `tools` are those of the plans' scope, read once."""

    def __init__(
        self, services: Services, admission: Admission, model: ChatModel, budget: Budget, *, tools: Sequence[Tool]
    ) -> None:
        self._services = services
        self._admission = admission
        self._model = model
        self._budget = budget
        self._library = view_of(tools, services.similar)

    def codify(self, plan: Entry, occurrences: Sequence[Occurrence]) -> bool:
        """Return whether tools were registered. ModelError and SandboxError are outages: the plan stays due."""
        functions = self._services.scopes.view(plan.scope).functions
        brief, records = prepare(
            plan,
            occurrences,
            buffered=self._services.recurrence.buffer(plan.id).candidates,
            functions=noted(functions, self._services.memory.notes(plan.scope)),
            library=self._library,
            name_taken=frozenset(self._services.library.names(plan.scope)),
        )
        attempt = codify_with_model(brief, records, self._tools(plan))
        if attempt.finding is not None:
            self._refuse(plan, attempt, attempt.finding)
        for judged in attempt.accepted:  # what is called comes before what calls it, and each step can be repeated
            proposal = Proposal(candidate=judged.candidate, evidence=judged.evidence)
            if (tool := self._admission.settle(proposal, judged.verdict)) is not None:
                self._services.memory.link_tool(plan.id, tool.name)
        return bool(attempt.accepted)

    def _tools(self, plan: Entry) -> Tools:
        environment = self._services.scopes.view(plan.scope)
        sandbox = self._services.sandbox()
        return Tools(
            model=self._model,
            budget=self._budget,
            workshop=Workshop(environment=environment, library=self._library, sandbox=sandbox),
            court=HelperJudge(
                environment=environment,
                sandbox=sandbox,
                policy=self._services.policy,
                admit=self._admission.judge,
                on_candidate=lambda item: self._services.say(events.CandidateMade(plan=plan, candidate=item)),
                on_gate=self._admission.heard,
                on_round=self._record,
            ),
            rank=self._services.memory.rank,
        )

    def _record(self, judgements: tuple[JudgedHelper, ...]) -> None:
        """Store the verdicts of one round as soon as they are there, whatever becomes of the attempt."""
        refused = not all(judged.accepted for judged in judgements)
        for judged in judgements:
            if not judged.verdict.depends_on:  # stopped before every gate had judged
                self._services.verdicts.add(judged.candidate, judged.verdict)
            if refused:
                self._admission.tell(judged.candidate, judged.verdict)

    def _refuse(self, plan: Entry, attempt: Attempt, finding: Finding) -> None:
        """Store why the attempt ended, and what it took."""
        end = Candidate(name=plan.title, scope=plan.scope, source="", plan_id=plan.id, origin=attempt.origin)
        self._services.verdicts.add(end, refusal_verdict(plan.title, (finding,)))
        self._services.say(events.CodifierRefused(plan=plan, findings=(finding,)))
