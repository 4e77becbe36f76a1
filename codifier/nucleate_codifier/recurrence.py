"""The recurrence gate: a plan is codified only when enough groups of inputs followed it (Metis Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, delete, update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from nucleate_codifier.buffers import Buffer, buffer_of
from nucleate_codifier.tables import BackoffRow, RecurrenceRow
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_tool_library import run_on


class Recurrence:
    """B(p) and R(p), persisted. θ counts groups of inputs; β bounds the related history (ALGORITHMS §2).

    An input that left R(p) is still remembered as counted: the same question asked again is no new evidence.
    """

    def __init__(self, engine: Engine | Connection, *, theta: int = 3, beta: int = 12) -> None:
        if theta < 1 or beta < 1:
            raise ValueError(f"theta={theta!r} and beta={beta!r} must be at least 1")
        self._engine = engine
        self._theta = theta
        self._beta = beta

    def within(self, connection: Connection) -> Recurrence:
        """Return the same on a connection: what it changes is part of the transaction that is open there."""
        return Recurrence(connection, theta=self._theta, beta=self._beta)

    def select(self, plan_id: str, *, task_id: str, input_key: str) -> Buffer:
        """Count one task that selected the plan. An input that was counted before changes nothing."""
        return self._add(plan_id, [(task_id, input_key)], related=False)

    def relate(self, plan_id: str, tasks: Sequence[tuple[str, str]]) -> Buffer:
        """Put (task id, input key) pairs into R(p): the tasks from which the plan was induced."""
        return self._add(plan_id, tasks, related=True)

    def buffer(self, plan_id: str) -> Buffer:
        """Return B(p), R(p) and the threshold."""
        with Session(self._engine) as session:
            return self._read(session, plan_id)

    def codified(self, plan_id: str) -> Buffer:
        """R(p) becomes the most recent β of R(p) ∪ B(p); B(p) becomes empty; a back-off ends."""
        with self._writing() as session:
            session.exec(update(RecurrenceRow).where(col(RecurrenceRow.plan_id) == plan_id).values(related=True))
            session.exec(delete(BackoffRow).where(col(BackoffRow.plan_id) == plan_id))
            session.commit()
            return self._read(session, plan_id)

    def refused(self, plan_id: str) -> Buffer:
        """Back off: the buffer must grow by θ again before the next attempt."""
        with self._writing() as session:
            buffer = self._read(session, plan_id)
            row = session.get(BackoffRow, plan_id) or BackoffRow(plan_id=plan_id, threshold=0)
            row.threshold = buffer.groups + self._theta
            row.attempts += 1
            session.add(row)
            session.commit()
            return self._read(session, plan_id)

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """Open a session that counts alone: what is decided depends on what was counted before."""
        with Session(self._engine) as session:
            be_the_writer(session.connection())
            yield session

    def _add(self, plan_id: str, tasks: Sequence[tuple[str, str]], *, related: bool) -> Buffer:
        with self._writing() as session:
            known = {row.input_key for row in session.exec(_of(plan_id))}
            for task_id, input_key in tasks:
                if input_key not in known:
                    known.add(input_key)
                    session.add(RecurrenceRow(plan_id=plan_id, task_id=task_id, input_key=input_key, related=related))
            session.commit()
            return self._read(session, plan_id)

    def _read(self, session: Session, plan_id: str) -> Buffer:
        return buffer_of(run_on(session), plan_id, theta=self._theta, beta=self._beta)


def _of(plan_id: str) -> SelectOfScalar[RecurrenceRow]:
    return select(RecurrenceRow).where(RecurrenceRow.plan_id == plan_id).order_by(col(RecurrenceRow.id))
