"""Keeps trials and corrections. Measuring is best effort: what cannot be stored breaks nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from sqlalchemy import Engine, func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from nucleate_tool_library.tables import InvocationRow, ReleaseRow
from nucleate_tool_library.trials.trial_tables import CorrectionRow, TrialRow
from nucleate_tool_library.trials.trials import Baseline, Side, Trial


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class CallRecord:
    """A version's calls since the latest event of its life, oldest first, the share of the earlier ones that failed,
    and how often it was corrected since."""

    passed: tuple[bool, ...] = ()
    failed_before: float | None = None
    corrections: int = 0


class Trials:
    """Trials in one database, whose tables exist; every write is one short transaction."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = _now) -> None:
        self._engine = engine
        self._clock = clock

    def add(self, trial: Trial) -> bool:
        """Store a trial; the answer says whether it was stored."""
        return self._add(_row(trial, self._clock()))

    def of(self, version_id: str) -> tuple[Trial, ...]:
        """Return a version's trials, the oldest first."""
        query = select(TrialRow).where(TrialRow.version_id == version_id).order_by(col(TrialRow.id))
        with Session(self._engine) as session:
            return tuple(_trial(row) for row in session.exec(query))

    def correct(self, version_id: str, *, by: str, why: str) -> bool:
        """Store that somebody said that a version's answer was wrong."""
        return self._add(CorrectionRow(version_id=version_id, by=by, why=why, at=self._clock()))

    def corrections(self, version_id: str) -> int:
        """Return how often a version was corrected."""
        query = select(func.count()).select_from(CorrectionRow).where(CorrectionRow.version_id == version_id)
        with Session(self._engine) as session:
            return session.exec(query).one()

    def record(self, version_id: str, *, latest: int = 50) -> CallRecord:
        """Return how a version fared since the latest event of its life, and before."""
        with Session(self._engine) as session:
            event = select(func.max(ReleaseRow.at)).where(ReleaseRow.version_id == version_id)
            since = session.exec(event).one() or datetime.min
            calls = select(InvocationRow.ok).where(InvocationRow.version_id == version_id)
            newest = calls.where(InvocationRow.at >= since).order_by(col(InvocationRow.id).desc()).limit(latest)
            earlier = session.exec(calls.where(InvocationRow.at < since)).all()
            wrong = select(func.count()).select_from(CorrectionRow)
            wrong = wrong.where(CorrectionRow.version_id == version_id, CorrectionRow.at >= since)
            return CallRecord(
                passed=tuple(reversed(session.exec(newest).all())),
                failed_before=1 - sum(earlier) / len(earlier) if earlier else None,
                corrections=session.exec(wrong).one(),
            )

    def _add(self, row: TrialRow | CorrectionRow) -> bool:
        try:
            with Session(self._engine) as session, session.begin():
                session.add(row)
            return True
        except SQLAlchemyError:
            return False


def _row(trial: Trial, at: datetime) -> TrialRow:
    own, other = trial.candidate, trial.reference
    return TrialRow(
        version_id=trial.version_id,
        baseline=trial.baseline.value,
        baseline_id=trial.baseline_id,
        case_key=trial.case,
        **{name: getattr(own, name) if own else None for name in _SIDE},
        **{f"baseline_{name}": getattr(other, name) if other else None for name in _SIDE},
        activated=trial.activated,
        wanted=trial.wanted,
        safe=trial.safe,
        regressed=trial.regressed,
        detail=trial.detail,
        at=at,
    )


_SIDE = tuple(field.name for field in fields(Side))


def _trial(row: TrialRow) -> Trial:
    return Trial(
        version_id=row.version_id,
        case=row.case_key,
        baseline=Baseline(row.baseline),
        baseline_id=row.baseline_id,
        candidate=_side(row, ""),
        reference=_side(row, "baseline_"),
        activated=row.activated,
        wanted=row.wanted,
        safe=row.safe,
        regressed=row.regressed,
        detail=row.detail,
    )


def _side(row: TrialRow, prefix: str) -> Side | None:
    values: Sequence[float | int | None] = [getattr(row, f"{prefix}{name}") for name in _SIDE]
    if any(value is None for value in values):
        return None
    return Side(**{name: getattr(row, f"{prefix}{name}") for name in _SIDE})
