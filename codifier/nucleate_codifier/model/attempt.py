"""The model codifier: a bounded agent that writes helpers for a plan, and is never believed (Metis §3.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from nucleate_codifier.chat import ChatModel, Message, Role
from nucleate_codifier.model.actions import DescribeFunction, GiveUp, SearchFunctions, Submit, TryCode, Turn
from nucleate_codifier.model.brief import Brief, Rank, Records, task_prompt
from nucleate_codifier.model.budget import Budget, OutOfBudget, Spending
from nucleate_codifier.model.conversation import Conversation
from nucleate_codifier.model.functions import describe_function, search_functions
from nucleate_codifier.model.hints import hints
from nucleate_codifier.model.judging import HelperJudge, JudgedHelper, SubmissionCase
from nucleate_codifier.model.prompting import prompts_hash, render
from nucleate_codifier.model.workshop import Workshop
from nucleate_codifier.values import Decision, Finding
from nucleate_sandbox import JsonObject, SandboxError

FEWEST_SHOWN = 2
# One submission, and one corrective round after a refusal (ALGORITHMS §2). Faults that stand in the text alone do not
# count: they say nothing of the tool, and the turns bound them.
MOST_SUBMISSIONS = 2
NEXT = {
    True: "These are faults of the text alone: correct them and submit again.",
    False: "Correct it and submit once more; a second refusal for more than the text ends the work.",
}
STATIC = frozenset({"parse", "policy", "types", "closure"})
STATIC_CLAIMS = frozenset(
    f"model/{rule}"
    for rule in (
        "cycle",
        "name-taken",
        "needs-refused",
        "same-name",
        "uncovered-parameter",
        "unknown-parameter",
        "unknown-query",
    )
)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """How an attempt ended. `accepted` holds the helpers to register, dependencies first, or nothing.

    `rounds` holds the judgements of each submission; `finding` says why nothing was accepted; `origin` is what it took.
    """

    accepted: tuple[JudgedHelper, ...] = ()
    rounds: tuple[tuple[JudgedHelper, ...], ...] = ()
    finding: Finding | None = None
    origin: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Tools:
    """What the model works with: itself, its budget, the place for trying code, the court, and a ranking of texts."""

    model: ChatModel
    budget: Budget
    workshop: Workshop
    court: HelperJudge
    rank: Rank


def codify_with_model(brief: Brief, records: Records, tools: Tools) -> Attempt:
    """Let the model work until its helpers are accepted, refused twice, given up, or a budget is used up.

    Raises ModelError or SandboxError on an outage: then nothing is known, and nothing is registered.
    """
    return _Work(brief, records, tools).run()


class _Work:
    def __init__(self, brief: Brief, records: Records, tools: Tools) -> None:
        self._brief = brief
        self._records = records
        self._tools = tools
        self._spending = Spending(tools.budget)
        self._rounds: list[tuple[JudgedHelper, ...]] = []
        self._counted = 0
        self._conversation = Conversation(tools.model, self._spending, *self._opening())

    def run(self) -> Attempt:
        if len(self._records.shown) < FEWEST_SHOWN or not self._records.held_out:
            return self._end(_too_few_runs(len(self._records.shown) + len(self._records.held_out)))
        try:
            return self._loop()
        except OutOfBudget as end:
            return self._end(_out_of(end))

    def _loop(self) -> Attempt:
        while True:
            action = self._conversation.ask(Turn).action
            match action:
                case GiveUp(reason=reason):
                    return self._end(_given_up(reason))
                case Submit():
                    ended = self._submit(action)
                    if ended is not None:
                        return ended
                case _:
                    self._conversation.tell(self._look(action))

    def _look(self, action: TryCode | SearchFunctions | DescribeFunction) -> str:
        match action:
            case TryCode(code=code):
                return self._tools.workshop.try_code(code)
            case SearchFunctions(query=query):
                return search_functions(self._brief.functions, query, rank=self._tools.rank)
            case DescribeFunction(name=name):
                return describe_function(self._brief.functions, name)

    def _submit(self, action: Submit) -> Attempt | None:
        judged = self._case().judge(action.helpers)
        self._tools.court.on_round(judged)
        lacking = _lacking(judged)
        self._rounds.append(judged)
        if lacking:
            return self._end(_needs_docker(lacking))
        if all(item.accepted for item in judged):
            return Attempt(accepted=judged, rounds=tuple(self._rounds), origin=self._origin())
        static = _static(judged)
        self._counted += not static
        if self._counted >= MOST_SUBMISSIONS:
            return self._end(_refused_twice(judged))
        turns = str(self._spending.turns_left)
        self._conversation.tell(render("refused", findings=hints(judged), next=NEXT[static], turns=turns))
        return None

    def _case(self) -> SubmissionCase:
        return SubmissionCase(
            court=self._tools.court,
            brief=self._brief,
            records=self._records,
            model=self._tools.model,
            spending=self._spending,
            origin={**self._origin(), "round": len(self._rounds) + 1},
        )

    def _end(self, finding: Finding) -> Attempt:
        return Attempt(rounds=tuple(self._rounds), finding=finding, origin=self._origin())

    def _origin(self) -> JsonObject:
        return {
            "codifier": "model",
            "model": self._tools.model.name,
            "prompts": prompts_hash(),
            **self._spending.to_json(),
        }

    def _opening(self) -> tuple[Message, Message]:
        task = task_prompt(
            self._brief,
            rank=self._tools.rank,
            reach=self._tools.workshop.reach,
            imports=", ".join(sorted(self._tools.court.policy.allowed_imports)),
            turns=self._tools.budget.turns,
        )
        return Message(role=Role.SYSTEM, content=render("system")), Message(role=Role.USER, content=task)


def _static(judged: tuple[JudgedHelper, ...]) -> bool:
    """Return whether a submission was refused for faults of its text alone: correcting them is no second guess."""
    findings = [finding for item in judged if not item.accepted for finding in item.verdict.findings]
    return all(finding.rule.partition("/")[0] in STATIC or finding.rule in STATIC_CLAIMS for finding in findings)


def _lacking(judged: tuple[JudgedHelper, ...]) -> tuple[Finding, ...]:
    """Return what the sandbox could not run; raise SandboxError where a helper is not judged for another reason.

    To ask the model again would cost as much again, and the sandbox would lack the same.
    """
    unjudged = [item for item in judged if item.verdict.decision is Decision.UNJUDGED]
    findings = tuple(finding for item in unjudged for finding in item.verdict.findings)
    if not all(finding.rule.endswith("/needs-docker") for finding in findings):
        raise SandboxError("; ".join(finding.message for finding in findings))
    return findings


def _needs_docker(findings: tuple[Finding, ...]) -> Finding:
    return Finding(
        rule="model/needs-docker",
        message=findings[0].message,
        fix="start Docker; the plan is tried again when it has recurred",
    )


def _too_few_runs(runs: int) -> Finding:
    return Finding(
        rule="model/too-few-runs",
        message=f"{runs} runs with different queries; two are shown to the model and one is held out",
        fix="record more runs of this plan with other queries",
    )


def _out_of(end: OutOfBudget) -> Finding:
    return Finding(
        rule=f"model/out-of-{end.what}",
        message=end.message,
        fix="raise the budget in the settings, or wait until the plan has recurred",
    )


def _given_up(reason: str) -> Finding:
    return Finding(rule="model/gave-up", message=reason[:500], fix="wait until the plan has recurred")


def _refused_twice(judged: tuple[JudgedHelper, ...]) -> Finding:
    rules = dict.fromkeys(finding.rule for item in judged for finding in item.verdict.findings)
    return Finding(
        rule="model/refused-twice",
        message=f"the corrected submission was refused too: {', '.join(rules)}",
        fix="see the verdicts of both rounds; the plan is tried again when it has recurred",
    )
