"""The job `review`: a model reflects on one task, and what passes the gates is written when the job ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, insert, select
from sqlmodel import SQLModel

from nucleate import events
from nucleate.jobs import Effect, Job
from nucleate.jobs.job_values import now
from nucleate.jobs.spending import Daily
from nucleate.reflection import Gates, Review, ReviewDesk, reflect_with_model, write
from nucleate.services import Services
from nucleate.tables import ReviewRow
from nucleate_codifier.chat import ChatModel
from nucleate_codifier.model import Budget
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Entry, Trajectory
from nucleate_text_memory.one_writer import be_the_writer
from nucleate_tool_library import LibraryError

SOURCE = "agent:reflector"
REVIEW = SQLModel.metadata.tables[str(ReviewRow.__tablename__)]


@dataclass(frozen=True, kw_only=True)
class Reflector:
    """Who reviews runs, within which budgets, and how many recent queries it sees."""

    model: ChatModel
    budget: Budget
    daily: Daily
    recent: int = 10


class Reviewing:
    """Lets a model review stored runs."""

    def __init__(self, services: Services, reflector: Reflector) -> None:
        self._services = services
        self._reflector = reflector

    def handle(self, job: Job) -> Effect | None:
        """Review a task; everything that it changes is part of the job's end, and so happens once."""
        trajectory = self._services.memory.trajectory(job.subject)
        if not trajectory.steps:
            return None
        self._reflector.daily.attempt()
        desk, gates = self._desk(trajectory), self._gates(trajectory)
        review = reflect_with_model(
            desk,
            gates,
            model=self._reflector.model,
            budget=self._reflector.budget,
            recent=self._recent(trajectory),
        )
        return partial(self._end, job.subject, gates, review, tuple(desk.probes))

    def _end(
        self, task_id: str, gates: Gates, review: Review, probes: tuple[JsonObject, ...], connection: Connection
    ) -> Callable[[], None] | None:
        be_the_writer(connection)  # what the review writes is written to memory
        if connection.scalar(select(REVIEW.c.task_id).where(REVIEW.c.task_id == task_id)) is not None:
            return None  # the job was tried again by hand; what it taught is there
        written = write(self._services.memory, connection, gates, review.accepted)
        record = _record(review, written, probes)
        row = {"task_id": task_id, "at": now(), "record": json.dumps(record, ensure_ascii=False, sort_keys=True)}
        connection.execute(insert(REVIEW), row)
        event = events.Reviewed(task_id=task_id, entries=tuple(written), refused=review.refused)
        return partial(self._services.listen, event)

    def _desk(self, trajectory: Trajectory) -> ReviewDesk:
        scope = trajectory.environment
        return ReviewDesk(
            trajectory=trajectory,
            environment=self._services.scopes.view(scope) if self._services.scopes.knows(scope) else None,
            search=lambda query: [item.entry for item in self._services.memory.select(query, scope=scope)],
            tool=partial(self._source, scope),
        )

    def _source(self, scope: str, name: str) -> str | None:
        try:
            return self._services.library.tool(name, scope=scope).version.source
        except LibraryError:
            return None

    def _gates(self, trajectory: Trajectory) -> Gates:
        entries = self._services.memory.entries(trajectory.environment)
        return Gates(
            trajectory=trajectory,
            entries={entry.id: entry for entry in entries},
            similar=self._services.similar,
            check=self._services.memory.check,
            source=SOURCE,
            functions=self._functions(trajectory.environment),
        )

    def _functions(self, scope: str) -> frozenset[str]:
        known = self._services.scopes.knows(scope)
        return frozenset(self._services.scopes.view(scope).functions) if known else frozenset()

    def _recent(self, trajectory: Trajectory) -> list[str]:
        """Return the queries of the tasks that were stored before this one, newest last."""
        ids = self._services.memory.task_ids(trajectory.environment)
        before = ids[: ids.index(trajectory.task_id)] if trajectory.task_id in ids else ids
        return [self._services.memory.trajectory(id_).query for id_ in before[-self._reflector.recent :]]


def _record(review: Review, written: list[Entry], probes: tuple[JsonObject, ...]) -> JsonObject:
    """Return what is kept of a review: its proposals and what became of them, values, probes, and what it took."""
    return {
        "ending": review.ending,
        "cause": review.cause,
        "proposed": [proposal.model_dump(mode="json") for proposal in review.accepted],
        "entries": [{"id": entry.id, "status": entry.status.value} for entry in written],
        "refused": list(review.refused),
        "values": list(review.values),
        "probes": list(probes),
        "origin": review.origin,
    }
