"""The record of destructive calls: what was asked for, what was said, and by whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from sqlalchemy import Engine
from sqlmodel import Session, select

from nucleate.environments.approving import SETTING, Approval, ApprovalDecision, Approving, refuse
from nucleate.tables import ApprovalRow
from nucleate_sandbox import Environment, RecordedEnvironment, canonical
from nucleate_text_memory.redaction.redact import redact_text


@dataclass(frozen=True, kw_only=True)
class Approved:
    """One decision as it was kept; `arguments` is JSON without secrets."""

    environment: str
    function: str
    arguments: str
    allowed: bool
    by: str
    at: datetime


class Approvals:
    """Keeps each decision before the call is made: one that cannot be kept lets no call through."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, decision: ApprovalDecision) -> None:
        """Keep a decision."""
        row = ApprovalRow(
            environment=decision.environment,
            function=decision.function,
            arguments=redact_text(canonical(decision.arguments)),
            allowed=decision.allowed,
            by=decision.by,
            at=datetime.now(UTC),
        )
        with Session(self._engine) as session:
            session.add(row)
            session.commit()

    def all(self) -> Sequence[Approved]:
        """Return every decision, oldest first."""
        with Session(self._engine) as session:
            return [_approved(row) for row in session.exec(select(ApprovalRow).order_by(ApprovalRow.id))]  # type: ignore[arg-type]


def _approved(row: ApprovalRow) -> Approved:
    return Approved(
        environment=row.environment,
        function=row.function,
        arguments=row.arguments,
        allowed=row.allowed,
        by=row.by,
        at=row.at,
    )


Mode: TypeAlias = Literal["never", "ask", "allow"]


class ApprovalGuard:
    """Puts every environment behind the rule for destructive calls: refuse, ask, or let through.

    Without a rule whoever can be asked is asked, and where nobody can the caller answers for its own calls. To ask with
    nobody there is to refuse. Functions that were approved by name need no question.
    """

    def __init__(self, rule: Mode | None, approve: Approval | None, *, named: Collection[str], log: Approvals) -> None:
        self._rule: Mode = rule or ("allow" if approve is None else "ask")
        self._approve = approve if approve is not None and self._rule == "ask" else refuse
        self._by = str(getattr(approve, "by", "")) if self._approve is approve else SETTING
        self._named = frozenset(named)
        self._log = log

    def over(self, environment: Environment) -> Environment:
        """Return the environment behind the rule."""
        if self._rule == "allow" or isinstance(environment, RecordedEnvironment | Approving):
            return environment
        return Approving(environment, self._approve, by=self._by, allowed=self._named, record=self._log.add)
