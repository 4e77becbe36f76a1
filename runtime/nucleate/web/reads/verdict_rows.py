"""Verdicts: the newest of them, and what was refused, by the rule that refused it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import col, func

from nucleate.web.reads.selecting import select
from nucleate_codifier.tables import BackoffRow, VerdictRow

MOST = 300


@dataclass(frozen=True, kw_only=True)
class VerdictLine:
    """One judgement; `verdict` is its JSON."""

    id: int
    scope: str
    candidate: str
    plan_id: str | None
    decision: str
    at: datetime
    verdict: dict[str, Any]

    @property
    def gates(self) -> Sequence[dict[str, Any]]:
        """Return what each gate reported."""
        found = self.verdict.get("gates")
        return [gate for gate in found if isinstance(gate, dict)] if isinstance(found, list) else []

    @property
    def findings(self) -> Sequence[dict[str, Any]]:
        """Return every finding with its gate."""
        return [{"gate": gate.get("gate"), **item} for gate in self.gates for item in gate.get("findings") or ()]


@dataclass(frozen=True, kw_only=True)
class RefusedGroup:
    """What one rule refused."""

    rule: str
    refused: Sequence[tuple[VerdictLine, dict[str, Any]]]


def verdicts(
    engine: Engine, *, limit: int, only: Sequence[str] = (), scope: str = "", before: int = 0
) -> list[VerdictLine]:
    """Return judgements, the newest first."""
    query = select(
        VerdictRow.id, VerdictRow.scope, VerdictRow.candidate, VerdictRow.plan_id, VerdictRow.decision,
        VerdictRow.created_at, VerdictRow.verdict,
    )  # fmt: skip
    query = query.where(col(VerdictRow.decision).in_(only)) if only else query
    query = query.where(col(VerdictRow.scope) == scope) if scope else query
    query = query.where(col(VerdictRow.id) < before) if before else query
    with engine.begin() as connection:
        return [
            VerdictLine(
                id=row[0], scope=row[1], candidate=row[2], plan_id=row[3], decision=row[4], at=row[5],
                verdict=json.loads(row[6]),
            )
            for row in connection.execute(query.order_by(col(VerdictRow.id).desc()).limit(limit))
        ]  # fmt: skip


def source_of(engine: Engine, number: int) -> str | None:
    """Return the source that a verdict judged."""
    with engine.begin() as connection:
        found: str | None = connection.scalar(select(VerdictRow.source).where(col(VerdictRow.id) == number))
    return found


def by_rule(lines: Sequence[VerdictLine]) -> list[RefusedGroup]:
    """Return refusals by rule, the rule that refuses most first; a candidate with several findings is in several."""
    found: dict[str, list[tuple[VerdictLine, dict[str, Any]]]] = {}
    for line in lines:
        for finding in line.findings:
            found.setdefault(str(finding.get("rule")), []).append((line, finding))
    groups = [RefusedGroup(rule=rule, refused=items) for rule, items in found.items()]
    return sorted(groups, key=lambda group: (-len(group.refused), group.rule))


def refused_again(engine: Engine, *, at_least: int = 2) -> list[tuple[str, int]]:
    """Return the plans from which a tool was refused so often, with how often."""
    query = select(BackoffRow.plan_id, BackoffRow.attempts).where(col(BackoffRow.attempts) >= at_least)
    with engine.begin() as connection:
        return [
            (row[0], row[1]) for row in connection.execute(query.order_by(col(BackoffRow.attempts).desc()).limit(50))
        ]


def counts(engine: Engine) -> dict[str, int]:
    """Return how many judgements ended in each decision."""
    with engine.begin() as connection:
        rows = connection.execute(select(VerdictRow.decision, func.count()).group_by(VerdictRow.decision))
        return {str(row[0]): int(row[1]) for row in rows}


def one(engine: Engine, number: int) -> VerdictLine | None:
    """Return one judgement."""
    found = verdicts(engine, limit=1, before=number + 1) if 0 < number < 2**31 else []
    return found[0] if found and found[0].id == number else None
