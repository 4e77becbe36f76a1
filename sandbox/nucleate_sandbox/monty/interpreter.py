"""One fresh interpreter in a worker of the pool: feeds it code, and turns what happened into an outcome."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Literal, Self

from pydantic_monty import Frame, Monty, MontyError

from nucleate_sandbox.capture import HeadAndTail
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.json_values import Json, canonical
from nucleate_sandbox.limits import FLOOD_BYTES, Limit, Limits
from nucleate_sandbox.monty.env_object import Answers
from nucleate_sandbox.monty.judge import ProgramEnding, at_limit, judge
from nucleate_sandbox.monty.plain_values import to_json
from nucleate_sandbox.outcome import Failure, Outcome, Usage
from nucleate_sandbox.stopping import CANCELLED, Stop

SPARE_SUSPENSIONS = 10_000  # attribute and name look-ups also cost one; endless ones must end


class Interpreter:
    """A context manager over one checkout. After a limit it must not be fed again; an order to stop ends its worker."""

    def __init__(
        self, pool: Monty, functions: Functions, limits: Limits, stop: Stop, *, explain_asserts: bool = False
    ) -> None:
        self.answers = Answers(functions, limits, stop)
        self._limits = limits
        self._stop = stop
        self._waking = ExitStack()
        self._streams: dict[str, HeadAndTail] = {}
        self._written = 0
        self._checkout = pool.checkout(
            limits={
                "max_feed_duration_secs": min(limits.wall_seconds, limits.cpu_seconds),
                "max_memory": limits.memory_bytes,
                "max_suspensions": 2 * limits.bridge_calls + SPARE_SUSPENSIONS,
                "max_total_sleep_secs": limits.wall_seconds,
            },
            os_policy={"sleep_system_max": math.inf},  # a longer sleep is the limit above, not a shorter sleep
            assert_message_annotations=explain_asserts,
        )

    def __enter__(self) -> Self:
        try:
            self._session = self._checkout.__enter__()
        except (MontyError, TimeoutError, OSError) as error:
            raise SandboxError(f"no Monty worker starts: {error}; check that pydantic-monty-runtime works") from error
        worker = self._session.worker_pid
        if worker is not None:
            self._waking.enter_context(self._stop.waking(lambda: os.kill(worker, signal.SIGKILL)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waking.close()
        self._checkout.__exit__(kind, error, trace)

    def prepare(self, code: str, values: dict[str, Any]) -> None:
        """Feed code of ours that runs none of the user's; raise MontyError."""
        self._session.feed_run(code, inputs=values)

    def begin(self) -> None:
        """Start a program: its outcome counts from here."""
        self.answers.begin()
        self._written = 0
        self._streams = {name: HeadAndTail(self._limits.output_bytes) for name in ("stdout", "stderr")}

    def feed(
        self,
        code: str,
        place: Callable[[Frame], str | None],
        inputs: dict[str, Any],
        lookup: dict[str, Any] | None = None,
    ) -> tuple[Any, ProgramEnding | None]:
        """Run code; return its value, or how it ended without one."""
        try:
            value = self._session.feed_run(code, inputs=inputs, external_lookup=lookup, print_callback=self._print)
        except MontyError as error:
            return None, judge(error, self.answers, self._limits, place)
        except (ValueError, RecursionError, OverflowError) as error:
            # The value exists inside but the host's Python cannot hold it: an integer of 5,000 digits, deep nesting.
            return None, _unfit(error)
        return value, None

    def valued(self, value: Any) -> tuple[Json, ProgramEnding | None]:
        """Return a value as JSON within the result limit, or the ending that it is."""
        try:
            plain = to_json(value)
        except (TypeError, ValueError) as error:
            return None, _unfit(error)
        size = len(canonical(plain).encode())
        if size > self._limits.result_bytes:
            return None, at_limit(Limit.RESULT, f"{size} bytes of JSON")
        return plain, None

    def outcome(self, value: Json, ending: ProgramEnding | None) -> Outcome:
        """Return the outcome of the program begun last; raise EnvironmentUnavailable if that is how it ended."""
        if self.answers.outage is not None:
            raise self.answers.outage
        limit = self.answers.limit
        if limit is not None and (ending is None or ending.limit is None):
            value, ending = None, at_limit(limit)  # it caught the signal to stop and went on
        cancelled = self._stop.given and ending is not None
        return Outcome(
            value=value,
            failure=CANCELLED if cancelled else ending.failure if ending else None,
            limit=ending.limit if ending and not cancelled else None,
            stdout=self._streams["stdout"].output(),
            stderr=self._streams["stderr"].output(),
            calls=self.answers.calls,
            usage=Usage(seconds=self.answers.seconds),
            cancelled=cancelled,
        )

    def _print(self, stream: Literal["stdout", "stderr"], text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        self._streams[stream].feed(data)
        self._written += len(data)
        if self._written > FLOOD_BYTES:
            self.answers.stop(Limit.OUTPUT)


def _unfit(error: Exception) -> ProgramEnding:
    return ProgramEnding(failure=Failure(kind=type(error).__name__, message=str(error)))
