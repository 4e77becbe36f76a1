"""A session with an agent holds several tasks: it is split where the user asks for something new."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nucleate_text_memory.recordings.answers.answering import settled
from nucleate_text_memory.recordings.bounds import bounded, bounded_text
from nucleate_text_memory.recordings.calls_read import CALL_IDS, REPEATED, CallsRead, others_of
from nucleate_text_memory.recordings.happenings import Answered, AskedCall, Happening, Replied, Said
from nucleate_text_memory.recordings.lines import LineFault, make_step
from nucleate_text_memory.recordings.names_in_use import NamesInUse
from nucleate_text_memory.recordings.pairing import OpenCalls
from nucleate_text_memory.recordings.shell.shell_steps import is_shell, steps_of
from nucleate_text_memory.recordings.turns import UserTurn, turn_of
from nucleate_text_memory.values import Json, JsonObject, Step, StepError, Trajectory, Utterance

UNANSWERED, REFUSED, IDLE = "calls never answered", "calls that the user refused", "prompts without a call"


@dataclass(kw_only=True)
class _Task:
    """One task under way. A call's steps are None until it is answered, and stay so where it never ran.

    A call of a shell is a step for each command; `texts` holds those as they were written.
    """

    id: str
    said: list[tuple[str, int]] = field(default_factory=list)
    steps: list[tuple[Step, ...] | None] = field(default_factory=list)
    texts: list[tuple[str, ...]] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)
    refused: int = 0
    last_reply: str = ""
    meta: JsonObject = field(default_factory=dict)


class AgentSession:
    """One stream of what happened. Each method that ends a task returns it, unless nothing was called in it.

    `left_out` counts what no task holds: calls that were never answered or were refused, prompts without a call.
    """

    def __init__(
        self,
        name: str,
        *,
        environment: str,
        meta: JsonObject | None = None,
        names: NamesInUse | None = None,
        left_out: Counter[str] | None = None,
        calls: CallsRead | None = None,
    ) -> None:
        self.environment = environment
        self._name = name
        self._meta = dict(meta or {})
        self._names = names or NamesInUse()
        self._left_out = left_out if left_out is not None else Counter[str]()
        kind, session = str(self._meta.get("format", "")), str(self._meta.get("session", ""))
        self._calls = calls or CallsRead()
        self._key = f"{kind}:{session}" if session else ""
        self._others = others_of(kind, session)
        self._repeated: set[str] = set()
        self._count = 0
        self._task: _Task | None = None
        self._waiting = OpenCalls[tuple[_Task, int, AskedCall]]()

    def note(self, **meta: Json) -> None:
        """Keep facts about the session beside its tasks."""
        self._meta |= {key: value for key, value in meta.items() if value is not None}

    def repeats(self, *sessions: str) -> None:
        """Leave out calls that these sessions hold (`codex:THREAD`): this one may repeat them."""
        self._others += sessions

    def take(self, happening: Happening, *, id_: str | None = None) -> Trajectory | None:
        """Take in what happened; `id_` names a task that begins with it. LineFault where nothing was asked for."""
        match happening:
            case Said(text=text):
                return self._said(text, id_)
            case Replied(text=text):
                self._under_way(id_).last_reply = text
            case AskedCall() if happening.id is not None and self._calls.has(self._others, happening.id):
                self._repeated.add(happening.id)
                self._left_out.update([REPEATED])
            case Answered() if happening.id in self._repeated:
                pass
            case AskedCall():
                task = self._under_way(id_)
                self._waiting.ask(happening.id, (task, len(task.steps), happening), name=happening.name)
                task.steps.append(None)
                task.texts.append(())
                task.ids.append(happening.id)
                if self._key and happening.id is not None:
                    self._calls.add(self._key, happening.id)
            case Answered():
                self._answered(happening)
        return None

    def end(self) -> Trajectory | None:
        """Return the last task; a call that was never answered is left out, since what it did is not known."""
        task, self._task = self._task, None
        if task is None:
            return None
        steps = tuple(step for made in task.steps if made is not None for step in made)
        unanswered = sum(made is None for made in task.steps) - task.refused
        idle = not steps and bool(task.said)
        self._left_out.update({REFUSED: task.refused} if task.refused else {})
        self._left_out.update({UNANSWERED: unanswered} if unanswered else {})
        self._left_out.update([IDLE] if idle else [])
        return self._trajectory(task, steps) if steps else None

    def _trajectory(self, task: _Task, steps: tuple[Step, ...]) -> Trajectory:
        first, *later = task.said or [("", 0)]
        made = [sum(len(made) for made in task.steps[:at] if made is not None) for _, at in later]
        texts = [text for made, texts in zip(task.steps, task.texts, strict=True) if made for text in texts or [""]]
        ids = [id_ for id_, made in zip(task.ids, task.steps, strict=True) if made and id_ and not id_.startswith("[")]
        commands: JsonObject = {str(index): bounded_text(text) for index, text in enumerate(texts) if text}
        return Trajectory(
            task_id=task.id,
            query=bounded_text(first[0]),
            environment=self.environment,
            steps=steps,
            meta={
                **self._meta,
                **task.meta,
                **({"refused": task.refused} if task.refused else {}),
                **({"commands": commands} if commands else {}),
                **({CALL_IDS: [*ids]} if ids and self._key else {}),
            },
            said=tuple(Utterance(text=bounded_text(text), at=at) for (text, _), at in zip(later, made, strict=True)),
        )

    def _said(self, text: str, id_: str | None) -> Trajectory | None:
        turn = turn_of(text, last_reply=self._task.last_reply) if self._task and self._task.said else UserTurn.FOLLOW_UP
        ended = self.end() if turn is UserTurn.NEW else None
        task = self._under_way(id_)
        task.said.append((text, len(task.steps)))
        if turn is UserTurn.CORRECTION:
            task.meta["corrections"] = int(str(task.meta.get("corrections", 0))) + 1
        return ended

    def _under_way(self, id_: str | None) -> _Task:
        if self._task is None:
            self._count += 1
            self._task = _Task(id=id_ or f"{self._name}:{self._count}")
        return self._task

    def _answered(self, answer: Answered) -> None:
        found = self._waiting.answer(answer.id, name=answer.name)
        if found is None:
            raise LineFault(f"no open tool call has the id {answer.id!r}")
        task, index, call = found
        if answer.refused:
            task.refused += 1
            return
        answer = settled(call, answer)
        if is_shell(call):
            ran = steps_of(call, answer)
            task.steps[index] = tuple(self._step(one.name, one.arguments, one.answer) for one in ran)
            task.texts[index] = tuple(one.text for one in ran)
        else:
            task.steps[index] = (self._step(call.name, call.arguments, answer),)

    def _step(self, name: str, given: JsonObject, answer: Answered) -> Step:
        error = answer.error and StepError(kind=answer.error.kind, message=bounded_text(answer.error.message))
        arguments = bounded(given)
        assert isinstance(arguments, dict)
        return make_step(self._names.function(name, self.environment), arguments, bounded(answer.result), error)
