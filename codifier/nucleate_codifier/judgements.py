"""Judgements as one reads them, in plain SQL: nothing here imports what judges or stores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from nucleate_codifier.values import Decision
from nucleate_sandbox import JsonObject
from nucleate_tool_library import StatementRunner, moment

_JUDGED = """SELECT candidate, scope, plan_id, decision, source, verdict, created_at FROM verdict
    WHERE (:everywhere OR scope = :scope) AND (:whatever OR decision = :decision) ORDER BY id DESC"""
_COUNTS = "SELECT decision, count(*) AS judged FROM verdict GROUP BY decision ORDER BY decision"


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


def judged(run: StatementRunner, *, scope: str | None = None, decision: Decision | None = None) -> Sequence[Judgement]:
    """Return the judgements of a scope or of all, newest first."""
    kept = {"everywhere": scope is None, "scope": scope or "", "whatever": decision is None}
    return [
        Judgement(
            candidate=row.candidate,
            scope=row.scope,
            plan_id=row.plan_id,
            decision=Decision(row.decision),
            source=row.source,
            verdict=json.loads(row.verdict),
            created_at=moment(row.created_at),
        )
        for row in run(_JUDGED, decision=decision.value if decision else "", **kept)
    ]


def counts(run: StatementRunner) -> dict[str, int]:
    """Return how many judgements ended in each decision."""
    return {row.decision: row.judged for row in run(_COUNTS)}
