"""What the runtime costs: milliseconds a step beside the model, and a task's latency with learning on over off."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel

from evals.loop.model import ErringModel
from evals.loop.modes import run_task, settings_of, slips
from nucleate.demo.tasks import Task, task_stream
from nucleate.runtime import Runtime
from nucleate.shop import open_shop
from nucleate_codifier.chat import ChatModel, Message, Reply
from nucleate_sandbox import Sandbox

WARM = 3  # first tasks that are left out: the container is started, the embedding model read
ON, OFF = "thread", "off"


@dataclass(frozen=True)
class Deaf:
    """The model it wraps, without what the system prompt says."""

    inner: ChatModel

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self.inner.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply to the rest."""
        return self.inner.complete([replace(messages[0], content=""), *messages[1:]], schema=schema)


@dataclass
class Timed:
    """The model it wraps; `between` are the seconds from one reply to the next request of the same run.

    `worked` are those in which this process had a processor, whatever else the machine was doing.
    """

    inner: ChatModel
    between: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    _replied: tuple[float, float] = (0.0, 0.0)

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self.inner.name

    def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Reply:
        """Return the model's reply."""
        if len(messages) > 2:
            wall, processor = _now()
            self.between.append(wall - self._replied[0])
            self.worked.append(processor - self._replied[1])
        reply = self.inner.complete(messages, schema=schema)
        self._replied = _now()
        return reply


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Milliseconds of each step, and seconds of each task with learning on and off, in the same order.

    `worked_ms` is the part of a step in which this process had a processor: on a busy machine the rest is waiting.
    """

    steps_ms: tuple[float, ...]
    worked_ms: tuple[float, ...]
    on: tuple[float, ...]
    off: tuple[float, ...]

    @property
    def overhead_ms(self) -> float:
        """Return the median of a step: the sandbox and the bridge, everything but the model."""
        return statistics.median(self.steps_ms)

    @property
    def ratio(self) -> float:
        """Return the median, over the tasks, of the latency with learning on over that with learning off."""
        return statistics.median(one / other for one, other in zip(self.on, self.off, strict=True))


def measure_speed(sandbox: Sandbox, *, rounds: int = 3) -> Speed:
    """Do the demo's tasks again with learning on and off, in turns, each time from what was learned before.

    Each task's best time counts, for machines are noisy.
    """
    steps, worked = list[float](), list[float]()
    times: dict[str, list[list[float]]] = {ON: [], OFF: []}
    with tempfile.TemporaryDirectory() as folder:
        learned = Path(folder) / "learned.db"
        _stream(sandbox, learned, "inline", task_stream())
        again = [replace(task, id=f"{task.id}-again") for task in task_stream()]
        for number in range(rounds):
            for worker in (ON, OFF) if number % 2 else (OFF, ON):
                copy = shutil.copy(learned, Path(folder) / f"{worker}-{number}.db")
                seconds, timed = _stream(sandbox, Path(copy), worker, again)
                times[worker].append(seconds)
                steps += timed.between if worker == OFF else []
                worked += timed.worked if worker == OFF else []
    best = {worker: tuple(min(column) for column in zip(*runs, strict=True)) for worker, runs in times.items()}
    steps_ms, worked_ms = (tuple(1000 * value for value in found) for found in (steps, worked))
    return Speed(steps_ms=steps_ms, worked_ms=worked_ms, on=best[ON], off=best[OFF])


def _stream(sandbox: Sandbox, database: Path, worker: str, tasks: Sequence[Task]) -> tuple[list[float], Timed]:
    """Return the seconds of each task, and the model that timed the steps.

    The model is deaf to what was learned, so that a task takes the same steps whether or not anything more was.
    """
    seconds, model = list[float](), Timed(Deaf(ErringModel(slips(tasks))))
    settings = settings_of(database, mode="full", worker=worker, final=sandbox.final)
    with Runtime(open_shop(), settings=settings, sandbox=sandbox, model=model) as runtime:
        for task in tasks:
            began = time.perf_counter()
            run_task(runtime, task, worker)
            seconds.append(time.perf_counter() - began)
    return seconds[WARM:], model
