"""Records what an agent does in an environment: task, steps, outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import Token
from types import TracebackType
from typing import Self, TypeVar

from nucleate.recording.clients import recorded_client
from nucleate.recording.open_task import CURRENT, OpenTask
from nucleate.tools import CallableTool
from nucleate_sandbox import Environment
from nucleate_text_memory import Trajectory

C = TypeVar("C")


class Recording(OpenTask):
    """One task under way: an environment like the one it wraps, with the offered tools beside it.

    Leaving the `with` block stores the trajectory; an exception that leaves it marks the task as failed. Steps stand in
    the order in which their calls began; several threads may call at once.
    """

    def __init__(
        self,
        query: str,
        *,
        task_id: str,
        environment: Environment,
        tools: Sequence[CallableTool],
        store: Callable[[Trajectory], object],
        under_way: AbstractContextManager[object] | None = None,
        selected: Sequence[str] = (),
    ) -> None:
        super().__init__(query, task_id=task_id, environment=environment, tools=tools, selected=selected)
        self._store = store
        self._under_way = under_way or nullcontext()
        self._token: Token[OpenTask | None] | None = None

    def client(self, client: C, *, offer: bool = False) -> C:
        """Return a client of OpenAI or Anthropic whose tool calls are recorded here; `offer` gives it the tools too."""
        return recorded_client(client, self, offer=offer)

    def __enter__(self) -> Self:
        self._under_way.__enter__()
        self._token = CURRENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._success = False
        if self._token is not None:
            with suppress(ValueError):  # ended in another context than it began: nothing is open there
                CURRENT.reset(self._token)
        try:
            self._store(self.trajectory())
        finally:
            self._under_way.__exit__(None, None, None)
