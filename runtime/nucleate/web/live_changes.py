"""Server-sent events: which kinds of thing changed in the database, by whatever process, a moment ago."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import SQLModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from nucleate.database import looking
from nucleate.web.site import Site

EVERY = 0.7
_HEARTBEAT = 15.0
# What a page calls it: the tables in which the newest row says that something happened.
_WATCHED = {
    "tasks": ("trajectory", "recurrence"),
    "tools": ("release", "verdict", "invocation", "trial"),
    "memory": ("entry_event",),
}


class Changes:
    """Looks now and then while somebody listens, and tells each listener what is other than before."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seen: dict[str, object] = {}
        self._versions: dict[str, int] = {}
        self._listeners = 0
        self._moved = anyio.Event()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look within the block."""
        self._moved = anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch)
            yield
            group.cancel_scope.cancel()
            self._moved.set()

    async def stream(self, _request: Request) -> Response:
        """Tell one listener."""
        return StreamingResponse(self._events(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _events(self) -> AsyncIterator[str]:
        told = dict(self._versions)
        self._listeners += 1
        try:
            yield "retry: 2000\n\n"
            while True:
                moved = self._moved
                for name in [name for name, version in self._versions.items() if told.get(name) != version]:
                    told[name] = self._versions[name]
                    yield f"event: {name}\ndata: {told[name]}\n\n"
                with anyio.move_on_after(_HEARTBEAT) as waited:
                    await moved.wait()
                if waited.cancelled_caught:
                    yield ": still here\n\n"
        finally:
            self._listeners -= 1

    async def _watch(self) -> None:
        while True:
            if self._listeners:
                self._compare(await run_in_threadpool(self._look))
            await anyio.sleep(EVERY)

    def _compare(self, now: dict[str, object]) -> None:
        changed = [name for name, value in now.items() if self._seen.get(name) != value]
        first, self._seen = not self._seen, {**self._seen, **now}
        for name in changed:
            self._versions[name] = self._versions.get(name, 0) + (not first)
        if changed and not first:
            moved, self._moved = self._moved, anyio.Event()
            moved.set()

    def _look(self) -> dict[str, object]:
        tables = SQLModel.metadata.tables
        jobs = tables["job"]
        try:
            with looking(), self._site.engine.begin() as connection:
                found: dict[str, object] = {
                    name: tuple(connection.scalar(select(_newest(table))) for table in watched)
                    for name, watched in _WATCHED.items()
                }
                counts = select(jobs.c.state, func.count(), func.max(jobs.c.token)).group_by(jobs.c.state)
                found["jobs"] = tuple(tuple(row) for row in connection.execute(counts.order_by(jobs.c.state)))
        except SQLAlchemyError:  # a database that cannot be read now has no news
            return {}
        return {**found, "judging": self._site.told.count}


def _newest(table: str) -> ColumnElement[int]:
    return func.max(SQLModel.metadata.tables[table].c.id)
