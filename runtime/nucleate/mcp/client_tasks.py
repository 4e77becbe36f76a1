"""What each client is about: its calls in order, until the task is reported, replaced, or has gone quiet."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from nucleate_sandbox import JsonObject
from nucleate_text_memory import Step, Trajectory

QUIET_SECONDS = 120.0
MAX_STEPS = 2_000


@dataclass(frozen=True, kw_only=True)
class Closing:
    """How a task ended, as far as somebody said so; what is said beside success is kept with the trajectory."""

    success: bool | None = None
    reward: float | None = None
    feedback: str = ""


@dataclass
class _Task:
    program: str
    query: str = ""
    sought: str = ""
    steps: list[tuple[str, Step]] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    touched: float = 0.0


class Tasks:
    """One open task for each session; from any thread. A finished one is a trajectory in each scope that it touched.

    A session's task is what the client says (`begin`, or the task of its report), else the first thing that it
    searched for, else the first text of several words that it gave to a function, or the first text of any kind.
    Without any of these nothing can be learned from its calls.
    """

    def __init__(
        self,
        store: Callable[[Trajectory], object],
        *,
        quiet: float = QUIET_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._quiet = quiet
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[str, _Task] = {}

    def begin(self, session: str, query: str, *, program: str = "") -> None:
        """Start a task; another one that is open ends. The same query again changes nothing."""
        with self._lock:
            task = self._open.get(session)
            if task is not None and task.query in ("", query):
                task.query, task.touched = query, self._clock()
                return
            ended = self._open.pop(session, None)
            self._open[session] = _Task(program=program, query=query, touched=self._clock())
        self._end(ended, Closing())

    def searched(self, session: str, text: str, *, program: str = "") -> None:
        """Take what a client looks for as what its task is about, where nothing better is known yet."""
        with self._lock:
            task = self._current(session, program)
            task.sought = task.sought or text

    def told(self, session: str, ids: Collection[str]) -> set[str]:
        """Return which of these entries the client was not told of in its task; from now on it was."""
        with self._lock:
            task = self._open.get(session)
            if task is None:
                return set(ids)
            new = set(ids) - task.told
            task.told |= new
            return new

    def add(self, session: str, scope: str, step: Step, *, program: str = "") -> None:
        """Add a call to the session's task."""
        with self._lock:
            task = self._current(session, program)
            if len(task.steps) < MAX_STEPS:
                task.steps.append((scope, step))

    def finish(self, session: str, query: str, closing: Closing) -> tuple[Trajectory, ...]:
        """End the session's task with what is known of its outcome, and return the trajectories stored."""
        with self._lock:
            task = self._open.pop(session, None)
        if task is not None and query:
            task.query = query
        return self._end(task, closing)

    def sweep(self) -> int:
        """End the tasks that have gone quiet, and return how many there were."""
        now = self._clock()
        with self._lock:
            quiet = [key for key, task in self._open.items() if now - task.touched >= self._quiet]
            ended = [self._open.pop(key) for key in quiet]
        for task in ended:
            self._end(task, Closing())
        return len(ended)

    def close(self) -> None:
        """End every task."""
        with self._lock:
            ended = list(self._open.values())
            self._open.clear()
        for task in ended:
            self._end(task, Closing())

    def _current(self, session: str, program: str) -> _Task:
        task = self._open.setdefault(session, _Task(program=program))
        task.touched = self._clock()
        return task

    def _end(self, task: _Task | None, closing: Closing) -> tuple[Trajectory, ...]:
        query = _query(task) if task is not None else ""
        if task is None or not query:
            return ()
        scopes = dict.fromkeys(scope for scope, _ in task.steps)
        found = tuple(_trajectory(task, query, scope, closing) for scope in scopes)
        for trajectory in found:
            self._store(trajectory)
        return found


def _trajectory(task: _Task, query: str, scope: str, closing: Closing) -> Trajectory:
    meta: JsonObject = {"client": task.program, "feedback": closing.feedback, "query_said": bool(task.query)}
    return Trajectory(
        task_id=f"mcp-{uuid.uuid4().hex[:12]}",
        query=query,
        environment=scope,
        steps=tuple(step for where, step in task.steps if where == scope),
        success=closing.success,
        reward=closing.reward,
        meta={key: value for key, value in meta.items() if value not in ("", True)},
    )


def _query(task: _Task) -> str:
    """Return what the task is about, as well as it is known; of the arguments, sentences say more than names."""
    values = [value for _, step in task.steps for value in step.arguments.values()]
    texts = [value.strip() for value in values if isinstance(value, str) and value.strip()]
    sentence = next((text for text in texts if " " in text), "")
    return task.query or task.sought or sentence or next(iter(texts), "")
