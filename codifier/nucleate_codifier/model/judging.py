"""Judges a submission: each helper against the recorded runs and through every gate; all are accepted, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.admit import admit_subject, judge
from nucleate_codifier.admission.gate_functions import GATES
from nucleate_codifier.admission.running.bench import Bench
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.gates import TABLE
from nucleate_codifier.model.actions import Helper, object_of
from nucleate_codifier.model.binding import bind
from nucleate_codifier.model.brief import Brief, Records
from nucleate_codifier.model.budget import Spending
from nucleate_codifier.model.helper_evidence import Unconfirmed, claimed, confirm
from nucleate_codifier.model.submission import claims, needs, ordered
from nucleate_codifier.values import (
    AdmissionPolicy,
    Candidate,
    Decision,
    EnvironmentView,
    Evidence,
    Example,
    Finding,
    Gate,
    GateReport,
    Status,
    Verdict,
)
from nucleate_codifier.verdicts import refusal_verdict
from nucleate_sandbox import JsonObject, Sandbox
from nucleate_text_memory import Occurrence
from nucleate_tool_library import ToolVersion, read_signature

ACCEPTED = frozenset({Decision.ADMITTED, Decision.PROVISIONAL})
# What judges the text and the claims; only after it does the helper run.
BEFORE_IT_RUNS = frozenset(row.gate for row in TABLE if not row.runs)
STATIC = [(gate, function) for gate, function in GATES if gate in BEFORE_IT_RUNS]
# The gates whose word holds whatever a submission claims.
TOLD_BESIDE = frozenset({"parse", "policy", "types", "closure", "safety"})
OWN_TESTS = frozenset(f"tests/{rule}" for rule in ("own-test-fails", "suite-broken", "tests-missing", "trivial-suite"))
UNCONFIRMED = {
    "fails-in-recording": "it fails with these arguments where the run succeeded: call what the plan calls, as it says",
    "invented-result": "return what the environment answered, and compute nothing that no run shows to be right",
    "no-calls": "leave out what calls no environment function, or make it a private helper",
    "other-reads": "read only what the plan reads",
    "other-writes": "make all the writes that the plan makes with these functions, in its order, and no others",
}


@dataclass(frozen=True, kw_only=True)
class HelperJudge:
    """What helpers are judged with; `admit` puts one through all gates.

    The listeners hear of each candidate, of each gate where one is stopped before all have judged, and of each round's
    judgements.
    """

    environment: EnvironmentView
    sandbox: Sandbox
    policy: AdmissionPolicy
    admit: Callable[[Subject], Verdict] = admit_subject
    on_candidate: Callable[[Candidate], None] = lambda _candidate: None
    on_gate: Callable[[Candidate, GateReport], None] = lambda _candidate, _report: None
    on_round: Callable[[tuple[JudgedHelper, ...]], None] = lambda _judged: None


@dataclass(frozen=True, kw_only=True)
class JudgedHelper:
    """One helper as a candidate, with the evidence that was found for it and the verdict."""

    candidate: Candidate
    evidence: Evidence
    verdict: Verdict

    @property
    def accepted(self) -> bool:
        return self.verdict.decision in ACCEPTED


@dataclass(frozen=True, kw_only=True)
class SubmissionCase:
    """A submission before its court: what was shown and recorded, and who may be asked for arguments."""

    court: HelperJudge
    brief: Brief
    records: Records
    model: ChatModel
    spending: Spending
    origin: JsonObject

    def judge(self, helpers: Sequence[Helper]) -> tuple[JudgedHelper, ...]:
        """Return the judgements, dependencies first. A helper that needs a refused one is not judged further."""
        in_order = ordered(helpers)
        faults = {helper.name: claims(helper, helpers, self.brief) for helper in helpers}
        if in_order is None or any(faults.values()):
            return tuple(self._faulty(helper, faults[helper.name]) for helper in helpers)
        done: list[JudgedHelper] = []
        for helper in in_order:
            refused = {item.candidate.name for item in done if not item.accepted} & needs(helper, helpers)
            done.append(self._refused(helper, (_depends(refused),)) if refused else self._judge(helper, done))
        return tuple(done)

    def _faulty(self, helper: Helper, findings: tuple[Finding, ...]) -> JudgedHelper:
        """Refuse a helper of a submission that claims what is not so, with what its text alone shows beside."""
        readable = [item for item in helper.supports if item.query in self.records.shown]
        judged = judge(self._subject(helper.model_copy(update={"supports": tuple(readable)}), ()), STATIC)
        told = [item for item in judged.findings if item.rule.partition("/")[0] in TOLD_BESIDE]
        return self._refused(helper, (*findings, *told))

    def _refused(self, helper: Helper, findings: tuple[Finding, ...]) -> JudgedHelper:
        verdict = refusal_verdict(helper.name, findings)
        return JudgedHelper(candidate=self._candidate(helper), evidence=Evidence(), verdict=verdict)

    def _candidate(self, helper: Helper) -> Candidate:
        covers: JsonObject = {item.parameter: item.variation for item in helper.covers}
        return Candidate(
            name=helper.name,
            scope=self.brief.plan.scope,
            source=helper.source,
            plan_id=self.brief.plan.id,
            tests={file.name: file.text for file in helper.tests},
            origin={**self.origin, **self.spending.to_json(), "covers": covers},
        )

    def _judge(self, helper: Helper, done: Sequence[JudgedHelper]) -> JudgedHelper:
        subject = self._subject(helper, done)
        self.court.on_candidate(subject.candidate)
        first = judge(subject, STATIC)
        if any(report.status is not Status.PASSED for report in first.gates):
            return self._stopped(subject, first)
        seen, findings = self._support(subject, helper)
        held_out, more = self._hold_out(subject) if not findings else ((), ())
        confirmed = replace(subject, evidence=Evidence(seen=seen, held_out=held_out))
        if findings or more:
            report = GateReport(gate=Gate.CODIFY, status=Status.REFUSED, findings=(*findings, *more))
            gates = (report, *first.gates)
            return self._stopped(confirmed, replace(first, decision=Decision.REJECTED, gates=gates))
        verdict = self.court.admit(confirmed)
        if verdict.decision not in ACCEPTED and _only_own_tests(verdict):
            # What the model guessed of the answers is no evidence: the tool stands or falls by examples and mutants.
            confirmed = replace(confirmed, candidate=replace(confirmed.candidate, tests={}))
            verdict = self.court.admit(confirmed)
        return JudgedHelper(candidate=confirmed.candidate, evidence=confirmed.evidence, verdict=verdict)

    def _subject(self, helper: Helper, done: Sequence[JudgedHelper]) -> Subject:
        tools = {**self.brief.library.tools, **{item.candidate.name: _version(item) for item in done if item.accepted}}
        tools.pop(helper.name, None)  # a new version is not its own twin
        subject = Subject(
            candidate=self._candidate(helper),
            library=replace(self.brief.library, tools=tools),
            environment=self.court.environment,
            sandbox=self.court.sandbox,
            evidence=Evidence(),
            policy=self.court.policy,
        )
        examples = [claimed(subject, run, arguments) for run, arguments in self._supports(helper)]
        return replace(subject, evidence=Evidence(seen=tuple(examples)))

    def _supports(self, helper: Helper) -> list[tuple[Occurrence, JsonObject]]:
        return [(self.records.shown[item.query], object_of(item.arguments)) for item in helper.supports]

    def _support(self, subject: Subject, helper: Helper) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
        numbers = [item.query for item in helper.supports]
        return _confirmed(subject, self._supports(helper), [f"query {number}" for number in numbers])

    def _hold_out(self, subject: Subject) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
        """Confirm the helper on the runs whose queries it was written without."""
        runs = self.records.held_out
        if not runs:
            return (), ()
        signature = read_signature(subject.candidate.source, subject.candidate.name)
        arguments = bind(signature, runs, model=self.model, spending=self.spending)
        pairs = [(runs[number], values) for number, values in arguments.items()]
        return _confirmed(subject, pairs, ["a query that you were not shown"] * len(pairs))

    def _stopped(self, subject: Subject, verdict: Verdict) -> JudgedHelper:
        """End before all gates have judged: not to be remembered as their word on these grounds."""
        for report in verdict.gates:
            self.court.on_gate(subject.candidate, report)
        return JudgedHelper(
            candidate=subject.candidate, evidence=subject.evidence, verdict=replace(verdict, depends_on="")
        )


def _confirmed(
    subject: Subject, runs: Sequence[tuple[Occurrence, JsonObject]], names: Sequence[str]
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    examples: list[Example] = []
    findings: list[Finding] = []
    with Bench(subject, Gate.REPLAY) as bench:
        for (run, arguments), name in zip(runs, names, strict=True):
            try:
                examples.append(confirm(bench, subject, run, arguments))
            except Unconfirmed as reason:
                findings.append(_unconfirmed(name, run.trajectory.task_id, reason))
    return tuple(examples), tuple(findings)


def _unconfirmed(name: str, task_id: str, reason: Unconfirmed) -> Finding:
    return Finding(
        rule=f"model/{reason.rule}", message=f"{name}: task {task_id!r}: {reason}", fix=UNCONFIRMED[reason.rule]
    )


def _only_own_tests(verdict: Verdict) -> bool:
    return bool(verdict.findings) and all(finding.rule in OWN_TESTS for finding in verdict.findings)


def _depends(refused: set[str]) -> Finding:
    return Finding(
        rule="model/needs-refused",
        message=f"it calls {', '.join(sorted(refused))}, which was refused",
        fix="correct what it calls first",
    )


def _version(judged: JudgedHelper) -> ToolVersion:
    """Return an accepted helper as those that call it see it; its id is that of the version to be registered."""
    candidate = judged.candidate
    return ToolVersion(
        name=candidate.name,
        scope=candidate.scope,
        source=candidate.source,
        signature=read_signature(candidate.source, candidate.name),
        capabilities=judged.verdict.capabilities,
        dependencies=judged.verdict.dependencies,
    )
