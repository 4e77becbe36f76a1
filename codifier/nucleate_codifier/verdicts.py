"""The record of every judgement, admitted or refused: one for each hash of what it depended on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlmodel import Session, select
from sqlmodel.sql.expression import SelectOfScalar

from nucleate_codifier import judgements
from nucleate_codifier.admission.fingerprint import lasts
from nucleate_codifier.admission.verdict_json import read_verdict, verdict_json
from nucleate_codifier.judgements import Judgement
from nucleate_codifier.tables import VerdictRow
from nucleate_codifier.values import Candidate, Decision, Finding, Gate, GateReport, Status, Verdict
from nucleate_sandbox import JsonObject
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_tool_library import run_on

VERDICTS = 0x6E75_6376  # the key under which one process at a time judges what is stored


class Verdicts:
    """Keeps judgements and reads them back, newest first. Safe for several processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, depends_on: str) -> Verdict | None:
        """Return the verdict that was reached on exactly these grounds; an outage or a time-out is none."""
        with Session(self._engine) as session:
            row = session.exec(_on(depends_on)).first()
            return read_verdict(json.loads(row.verdict)) if row is not None else None

    def add(self, candidate: Candidate, verdict: Verdict) -> None:
        """Store a verdict. Reached once more from the same grounds it changes nothing; another decision replaces it."""
        row = _row(candidate, verdict)
        with Session(self._engine) as session, session.begin():
            be_the_writer(session.connection(), VERDICTS)
            known = session.exec(_on(row.depends_on)).first() if row.depends_on else None
            if known is not None and known.decision == row.decision:
                return
            if known is not None:
                session.delete(known)
                session.flush()
            session.add(row)

    def list(self, *, scope: str | None = None, decision: Decision | None = None) -> Sequence[Judgement]:
        """Return the judgements of a scope or of all, newest first."""
        with self._engine.connect() as connection:
            return judgements.judged(run_on(connection), scope=scope, decision=decision)

    def counts(self) -> dict[str, int]:
        """Return how many judgements ended in each decision."""
        with self._engine.connect() as connection:
            return judgements.counts(run_on(connection))


def refusal_verdict(name: str, findings: tuple[Finding, ...]) -> Verdict:
    """Return the verdict on a plan from which the codifier could not write a candidate."""
    report = GateReport(gate=Gate.CODIFY, status=Status.REFUSED, findings=findings)
    return Verdict(candidate=name, decision=Decision.REJECTED, gates=(report,))


def _on(depends_on: str | None) -> SelectOfScalar[VerdictRow]:
    return select(VerdictRow).where(VerdictRow.depends_on == depends_on)


def _row(candidate: Candidate, verdict: Verdict) -> VerdictRow:
    origin: JsonObject = {"origin": candidate.origin} if candidate.origin else {}
    return VerdictRow(
        scope=candidate.scope,
        candidate=candidate.name,
        plan_id=candidate.plan_id,
        decision=verdict.decision,
        depends_on=verdict.depends_on if lasts(verdict) else None,
        source=candidate.source,
        verdict=json.dumps({**verdict_json(verdict), **origin}, ensure_ascii=False),
        created_at=datetime.now(UTC),
    )
