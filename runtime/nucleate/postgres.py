"""PostgreSQL that keeps nobody waiting for longer than was said: to connect, for a lock, and for an answer.

What the server can bound (locks, statements) it bounds, so that connections live on. What it cannot, since it may be
the server that is gone, is bounded here.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Connection, Dialect, Engine, event
from sqlalchemy.engine import URL, create_engine
from sqlalchemy.exc import DBAPIError

REACH_MILLISECONDS = 250  # for a first handshake over a network
STATEMENT_MILLISECONDS = 400  # beside the wait for a lock
SILENT_MILLISECONDS = 500
TICK = 0.02  # seconds
SILENT = "the server does not answer"
# A connection whose other end is gone, as the system finds out by itself in two hours where nobody asks.
ALIVE = {"connect_timeout": 30, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}

CONNECTIONS, POOL = 15, "pool_size"  # the most of one process, and how an address says another number
IDLE = 5  # that stay open when nobody needs them

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")
Milliseconds = Callable[[], int | None]


def postgres_engine(url: URL, *, brief: Milliseconds, reads: Callable[[], bool]) -> Engine:
    """Return an engine that waits as `brief` says when it is asked; None is the patience of who has time.

    While `reads` holds, transactions change nothing.
    """
    connections = int(str(url.query.get(POOL, CONNECTIONS)))
    url = url.difference_update_query([POOL])
    engine = create_engine(
        url,
        connect_args={name: value for name, value in ALIVE.items() if name not in url.query},
        pool_pre_ping=True,  # a connection that was cut meanwhile costs a look, and not what is asked of it
        pool_size=min(connections, IDLE),
        max_overflow=max(0, connections - IDLE),
        hide_parameters=True,
    )
    event.listen(engine, "do_connect", _Connecting(brief))

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        said = ["SET TRANSACTION READ ONLY"] if reads() else []
        milliseconds = brief()
        if milliseconds is not None:
            said.append(f"SET LOCAL lock_timeout = {milliseconds}")
            said.append(f"SET LOCAL statement_timeout = {milliseconds + STATEMENT_MILLISECONDS}")
        if said:
            connection.exec_driver_sql("; ".join(said))

    return engine


class _Connecting:
    """Connects in a thread, since no setting of the client's bounds names, handshakes and passwords together.

    One that took too long for who asked is taken by who asks next.
    """

    def __init__(self, brief: Milliseconds) -> None:
        self._brief = brief
        self._begun: deque[Future[psycopg.Connection[Any]]] = deque()

    def __call__(
        self, _dialect: Dialect, _record: object, words: list[Any], named: dict[str, Any]
    ) -> psycopg.Connection[Any] | None:
        milliseconds = self._brief()
        if milliseconds is None and not self._begun:
            return _bounded(self._brief).connect(*words, **named)
        try:
            begun, first = self._begun.popleft(), False
        except IndexError:
            begun, first = self._begin(words, named), True
        patience = None if milliseconds is None else max(milliseconds, REACH_MILLISECONDS if first else 0) / 1000
        try:
            return begun.result(patience)
        except TimeoutError:
            self._begun.append(begun)
            raise ServerSilent(SILENT) from None

    def _begin(self, words: list[Any], named: dict[str, Any]) -> Future[psycopg.Connection[Any]]:
        begun: Future[psycopg.Connection[Any]] = Future()

        def connect() -> None:
            try:
                begun.set_result(_bounded(self._brief).connect(*words, **named))
            except BaseException as fault:  # noqa: BLE001 - whoever asked raises it
                begun.set_exception(fault)

        threading.Thread(target=connect, name="nucleate-postgres", daemon=True).start()
        return begun


def _bounded(brief: Milliseconds) -> type[psycopg.Connection[Any]]:
    """Return connections that are given up when the server says nothing for longer than it allowed itself."""

    class BoundedConnection(psycopg.Connection[Any]):
        def wait(self, gen: Any, interval: float = TICK, *more: Any, **named: Any) -> Any:
            milliseconds = brief()
            if milliseconds is None:
                return super().wait(gen, interval, *more, **named)
            try:
                return super().wait(_until(gen, time.monotonic() + (milliseconds + SILENT_MILLISECONDS) / 1000), TICK)
            except ServerSilent:
                self.close()
                raise

    return BoundedConnection


class ServerSilent(psycopg.OperationalError):
    """A server that took a connection, or holds one, and says nothing."""


def _until(work: Generator[T, S, R], deadline: float) -> Generator[T, S, R]:
    """Pass on what a conversation with the server waits for; raise ServerSilent where nothing came in time."""
    try:
        wanted = next(work)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() > deadline:
                raise ServerSilent(SILENT)
            wanted = work.send(ready)
    except StopIteration as end:
        value: R = end.value
        return value


def without_values(fault: DBAPIError) -> DBAPIError:
    """Return an error of the server without the stored values that its details quote."""
    cause = fault.orig
    if not isinstance(cause, psycopg.Error) or cause.sqlstate is None:
        return fault
    primary = str(cause.diag.message_primary or type(cause).__name__)
    # What could not be read as a value of its column is quoted even there.
    cause.args = (type(cause).__name__ if isinstance(cause, psycopg.DataError) else primary,)
    return type(fault)(fault.statement, None, cause, hide_parameters=True, ismulti=fault.ismulti)
