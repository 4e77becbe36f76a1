"""One attempt of the model codifier in the runtime: every verdict is recorded, all helpers are registered or none."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate import events
from nucleate.environments.noted import noted
from nucleate.models.cached import Cached
from nucleate.release.admission import Admission, Proposal
from nucleate.services import Services
from nucleate.versions import view_of
from nucleate_codifier import Candidate, Decision, EnvironmentView, Finding, refusal_verdict
from nucleate_codifier.admission.verdict_json import read_verdict
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import (
    Attempt,
    Budget,
    HelperJudge,
    JudgedHelper,
    Records,
    Tools,
    Workshop,
    codify_with_model,
    prepare,
)
from nucleate_codifier.model.helper_evidence import recorded
from nucleate_codifier.model.hints import told_line
from nucleate_sandbox import Call
from nucleate_text_memory import Entry, Occurrence
from nucleate_tool_library import Tool


def _looked_up(records: Records, environment: EnvironmentView) -> tuple[Call, ...]:
    """Return what the runs asked whose queries the model is shown: of the others it learns nothing."""
    return tuple(call for run in records.shown.values() for call in recorded(run, environment.functions))


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
            refusals=self._refusals(plan),
        )
        attempt = codify_with_model(brief, records, self._tools(plan, records))
        if attempt.finding is not None:
            self._refuse(plan, attempt, attempt.finding)
        for judged in attempt.accepted:  # what is called comes before what calls it, and each step can be repeated
            proposal = Proposal(candidate=judged.candidate, evidence=judged.evidence)
            if (tool := self._admission.settle(proposal, judged.verdict)) is not None:
                self._services.memory.link_tool(plan.id, tool.name)
        return bool(attempt.accepted)

    def _refusals(self, plan: Entry) -> list[str]:
        """Return why what a model wrote for this plan was refused before, oldest first, as a model may read it."""
        judged = self._services.verdicts.list(scope=plan.scope, decision=Decision.REJECTED)
        verdicts = [read_verdict(item.verdict) for item in judged if item.plan_id == plan.id and item.source]
        return [
            told_line(verdict.candidate, finding)
            for verdict in reversed(verdicts)
            for finding in verdict.findings
            if not finding.rule.startswith("trace/")
        ]

    def _tools(self, plan: Entry, records: Records) -> Tools:
        environment = self._services.scopes.view(plan.scope)
        sandbox = self._services.sandbox()
        return Tools(
            # What was asked before an outage is answered from the database, so that the conversation goes on there.
            model=Cached(self._model, self._services.engine),
            budget=self._budget,
            workshop=Workshop(
                environment=environment,
                library=self._library,
                sandbox=sandbox,
                recorded=_looked_up(records, environment),
            ),
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
