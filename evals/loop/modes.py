"""The demo's thirty tasks in each mode of memory, from scratch, in the same order, by the real loop."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.loop.model import ErringModel
from evals.loop.ways import ways
from nucleate.demo.tasks import Task, task_stream
from nucleate.executor import RunResult
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate.shop import open_shop
from nucleate_sandbox import Sandbox

MODES = ("none", "text_only", "code_only", "eager", "full")


@dataclass(frozen=True, kw_only=True)
class Done:
    """One task in one mode."""

    mode: str
    task: Task
    result: RunResult
    solved: bool


@dataclass(frozen=True, kw_only=True)
class Mode:
    """All tasks in one mode, and what came out of them."""

    name: str
    done: tuple[Done, ...]
    tools: int
    used: int

    @property
    def success(self) -> float:
        """Return the share of tasks whose state is what was asked for."""
        return sum(item.solved for item in self.done) / len(self.done)

    @property
    def steps(self) -> float:
        """Return the mean number of steps of a task."""
        return sum(item.result.spent.steps for item in self.done) / len(self.done)

    @property
    def tokens(self) -> float:
        """Return the mean number of tokens of a task."""
        return sum(item.result.spent.tokens for item in self.done) / len(self.done)


def slips(tasks: Sequence[Task]) -> Mapping[str, str]:
    """Return the slip of each task: its family's, in turn."""
    turns = {way.family.name: way.slips for way in ways()}
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for task in tasks:
        kinds = turns[task.family.name]
        found[task.query] = kinds[seen[task.family.name] % len(kinds)]
        seen[task.family.name] += 1
    return found


def run_mode(name: str, sandbox: Sandbox, tasks: Sequence[Task] | None = None, *, worker: str = "inline") -> Mode:
    """Run the tasks in one mode, learning after each, where the mode learns."""
    stream = tasks or task_stream()
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_of(Path(folder) / "loop.db", mode=name, worker=worker, final=sandbox.final)
        with Runtime(open_shop(), settings=settings, sandbox=sandbox, model=ErringModel(slips(stream))) as runtime:
            done = tuple(run_task(runtime, task, name) for task in stream)
            use = runtime.library.stats().tools
    return Mode(name=name, done=done, tools=len(use), used=sum(tool.uses > 0 for tool in use))


def settings_of(database: Path, *, mode: str, worker: str, final: bool = True) -> Settings:
    """Return the settings of one run: scores choose, nothing asks, and the codifier needs no model."""
    given = {"database": str(database), "mode": mode, "worker": worker, "allow_provisional": not final}
    return Settings.model_validate({**given, "codifier": "trace", "selection": "scores", "destructive": "allow"})


def run_task(runtime: Runtime, task: Task, mode: str) -> Done:
    """Do one task in a shop of its own, and look at the shop afterwards."""
    shop = open_shop()
    result = runtime.run(task.query, environment=shop, task_id=task.id, judge=lambda _answer: task.solved(shop))
    return Done(mode=mode, task=task, result=result, solved=task.solved(shop))
