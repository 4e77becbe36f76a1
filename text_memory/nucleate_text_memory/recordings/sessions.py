"""A session with an agent holds several tasks: it is split where the user asks for something new."""

from __future__ import annotations

from dataclasses import dataclass, field

from nucleate_text_memory.names import function_name
from nucleate_text_memory.recordings.bounds import bounded, bounded_text
from nucleate_text_memory.recordings.lines import LineFault, make_step
from nucleate_text_memory.recordings.messages import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.pairing import OpenCalls
from nucleate_text_memory.recordings.turns import UserTurn, turn_of
from nucleate_text_memory.values import JsonObject, Step, StepError, Trajectory


@dataclass(kw_only=True)
class _Task:
    """One task under way; `steps` are None until the call is answered."""

    id: str
    said: list[str] = field(default_factory=list)
    steps: list[Step | None] = field(default_factory=list)
    last_reply: str = ""
    meta: JsonObject = field(default_factory=dict)


class AgentSession:
    """One stream of what happened. Each method that ends a task returns it, unless nothing was called in it."""

    def __init__(self, name: str, *, environment: str, meta: JsonObject | None = None) -> None:
        self.environment = environment
        self._name = name
        self._meta = dict(meta or {})
        self._count = 0
        self._task: _Task | None = None
        self._waiting = OpenCalls[tuple[_Task, int, AskedCall]]()

    def note(self, **meta: str | int | None) -> None:
        """Keep facts about the session beside its tasks."""
        self._meta |= {key: value for key, value in meta.items() if value is not None}

    def take(self, happening: Happening, *, id_: str | None = None) -> Trajectory | None:
        """Take in what happened; `id_` names a task that begins with it. LineFault where nothing was asked for."""
        match happening:
            case Said(text=text):
                return self._said(text, id_)
            case Replied(text=text):
                self._under_way(id_).last_reply = text
            case AskedCall():
                task = self._under_way(id_)
                self._waiting.ask(happening.id, (task, len(task.steps), happening))
                task.steps.append(None)
            case Answered():
                self._answered(happening)
        return None

    def end(self) -> Trajectory | None:
        """Return the last task; a call that was never answered is left out, since what it did is not known."""
        task, self._task = self._task, None
        steps = tuple(step for step in task.steps if step is not None) if task else ()
        if task is None or not steps:
            return None
        return Trajectory(
            task_id=task.id,
            query=bounded_text("\n".join(task.said)),
            environment=self.environment,
            steps=steps,
            meta={**self._meta, **task.meta},
        )

    def _said(self, text: str, id_: str | None) -> Trajectory | None:
        turn = turn_of(text, last_reply=self._task.last_reply) if self._task and self._task.said else UserTurn.FOLLOW_UP
        ended = self.end() if turn is UserTurn.NEW else None
        task = self._under_way(id_)
        task.said.append(text)
        if turn is UserTurn.CORRECTION:
            task.meta["corrections"] = int(str(task.meta.get("corrections", 0))) + 1
        return ended

    def _under_way(self, id_: str | None) -> _Task:
        if self._task is None:
            self._count += 1
            self._task = _Task(id=id_ or f"{self._name}:{self._count}")
        return self._task

    def _answered(self, answer: Answered) -> None:
        found = self._waiting.answer(answer.id)
        if found is None:
            raise LineFault(f"no open tool call has the id {answer.id!r}")
        task, index, call = found
        error = answer.error and StepError(kind=answer.error.kind, message=bounded_text(answer.error.message))
        arguments = bounded(call.arguments)
        assert isinstance(arguments, dict)
        task.steps[index] = make_step(
            function_name(call.name, self.environment), arguments, bounded(answer.result), error
        )
