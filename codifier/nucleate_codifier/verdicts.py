"""The record of every judgement, admitted or refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from nucleate_codifier.admission.verdict_json import verdict_json
from nucleate_codifier.tables import VerdictRow
from nucleate_codifier.values import Candidate, Decision, Finding, Gate, GateReport, Status, Verdict
from nucleate_sandbox import JsonObject


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A stored verdict with the source that it judged; `verdict` is the verdict as JSON."""

    candidate: str
    scope: str
    plan_id: str | None
    decision: Decision
    source: str
    verdict: JsonObject
    created_at: datetime


class Verdicts:
    """Appends judgements and reads them back, newest first."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, candidate: Candidate, verdict: Verdict) -> None:
        """Store one verdict."""
        text = json.dumps(verdict_json(verdict), ensure_ascii=False, sort_keys=True)
        row = VerdictRow(
            scope=candidate.scope,
            candidate=candidate.name,
            plan_id=candidate.plan_id,
            decision=verdict.decision,
            source=candidate.source,
            verdict=text,
            created_at=datetime.now(UTC),
        )
        with Session(self._engine) as session:
            session.add(row)
            session.commit()

    def list(self, *, scope: str | None = None, decision: Decision | None = None) -> Sequence[Judgement]:
        """Return the judgements of a scope or of all, newest first."""
        query = select(VerdictRow).order_by(col(VerdictRow.id).desc())
        if scope is not None:
            query = query.where(VerdictRow.scope == scope)
        if decision is not None:
            query = query.where(VerdictRow.decision == decision)
        with Session(self._engine) as session:
            return [_judgement(row) for row in session.exec(query)]


def refusal_verdict(name: str, findings: tuple[Finding, ...]) -> Verdict:
    """Return the verdict on a plan from which the codifier could not write a candidate."""
    report = GateReport(gate=Gate.CODIFY, status=Status.REFUSED, findings=findings)
    return Verdict(candidate=name, decision=Decision.REJECTED, gates=(report,))


def _judgement(row: VerdictRow) -> Judgement:
    return Judgement(
        candidate=row.candidate,
        scope=row.scope,
        plan_id=row.plan_id,
        decision=Decision(row.decision),
        source=row.source,
        verdict=json.loads(row.verdict),
        created_at=row.created_at,
    )
