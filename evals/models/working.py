"""Runs of the real executor on tau2's retail desk: steps, prompt tokens, steps that only finish, runs lost."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evals.models.retail_tasks import SCOPE, RetailTask
from evals.real.environments import TAU2, Child
from nucleate.executor import Budgets, RunResult
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate_codifier.chat import ChatModel, Message, Reply
from nucleate_sandbox import Sandbox

MODES = ("none", "full")


@dataclass(kw_only=True)
class Worked:
    """What the runs of one model in one mode took."""

    model: str
    mode: str
    tasks: int = 0
    steps: int = 0
    replies: int = 0
    prompt_tokens: int = 0
    finish_only: int = 0
    finish_only_tokens: int = 0
    calls: int = 0
    lost: int = 0
    endings: dict[str, int] = field(default_factory=dict)

    def add(self, result: RunResult, heard: Sequence[tuple[int, str]]) -> None:
        """Count one run; `heard` holds the prompt tokens and the text of each reply."""
        self.tasks += 1
        self.steps += result.spent.steps
        self.calls += result.calls
        self.replies += len(heard)
        self.prompt_tokens += sum(tokens for tokens, _ in heard)
        only = [tokens for tokens, text in heard if "finish(" in text and "env." not in text]
        self.finish_only += len(only)
        self.finish_only_tokens += sum(only)
        self.lost += result.ending.value == "malformed"
        self.endings[result.ending.value] = self.endings.get(result.ending.value, 0) + 1

    def row(self) -> list[str]:
        """Return the figures of a table's row."""
        share = self.finish_only_tokens / max(1, self.prompt_tokens)
        return [
            self.model,
            self.mode,
            str(self.tasks),
            f"{self.steps / max(1, self.tasks):.2f}",
            f"{self.prompt_tokens / max(1, self.tasks):,.0f}",
            f"{self.prompt_tokens / max(1, self.replies):,.0f}",
            f"{self.finish_only} of {self.steps} ({share:.0%} of prompt tokens)",
            str(self.lost),
        ]


COLUMNS = (
    "model",
    "mode",
    "tasks",
    "steps a task",
    "prompt tokens a task",
    "a reply",
    "steps that only finish",
    "lost",
)


class Heard:
    """The model it wraps; remembers what each reply took and said."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.replies: list[tuple[int, str]] = []

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    def complete(self, messages: Sequence[Message], *, schema: type | None = None) -> Reply:
        """Return the model's reply."""
        reply = self._model.complete(messages, schema=schema)
        self.replies.append((reply.prompt_tokens, reply.text))
        return reply


def work(model: ChatModel, mode: str, tasks: Sequence[RetailTask], sandbox: Sandbox) -> Worked:
    """Let a model do the tasks in one mode, each in a world of its own, learning in between where the mode does."""
    done = Worked(model=model.name, mode=mode)
    with Child(TAU2) as child, tempfile.TemporaryDirectory() as folder:
        heard = Heard(model)
        with Runtime(settings=_settings(Path(folder), mode), sandbox=sandbox, model=heard) as runtime:
            for task in tasks:
                heard.replies.clear()
                world = child.start(SCOPE, {})
                result = runtime.run(task.query, environment=world, task_id=task.id, budgets=Budgets(steps=40))
                done.add(result, heard.replies)
    return done


def _settings(folder: Path, mode: str) -> Settings:
    given = {"database": str(folder / "models.db"), "mode": mode, "worker": "inline", "allow_provisional": True}
    return Settings.model_validate({**given, "codifier": "trace", "selection": "scores", "destructive": "allow"})
