"""A run from the task to the stored trajectory: choose, open, loop, record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from nucleate import telemetry
from nucleate.executor import run_events as events
from nucleate.executor.budgets import Budgets, RunEnding, RunSpent
from nucleate.executor.clock import Clock
from nucleate.executor.growing import Fitting, GrowingOffers
from nucleate.executor.laying_out import MOST_FULL, found_text, laid_out
from nucleate.executor.loop import Loop, LoopServices, RunStopped
from nucleate.executor.prompting import PROMPTS, render
from nucleate.executor.recalling import Recalls
from nucleate.executor.result import RunResult
from nucleate.executor.scope import SessionScope
from nucleate.executor.showing import NONE_YET, tools_text
from nucleate.executor.workbench import Workbench, WorkPlace
from nucleate.manager import Choice, Manager
from nucleate.recording import Recording
from nucleate.tools import CallableTool
from nucleate_codifier.chat import ChatModel, Message, Role
from nucleate_sandbox import Environment, FunctionSpec, Json, Limits, Sandbox
from nucleate_text_memory.retrieval.words import estimate_tokens

LIMITS = Limits(wall_seconds=60.0, cpu_seconds=30.0, bridge_seconds=30.0)

Judge = Callable[[Json], bool | None]


def unjudged(_answer: Json) -> bool | None:
    """Leave open whether the task was solved."""
    return None


@dataclass(frozen=True, kw_only=True)
class RunTask:
    """What a run is asked to do, where, and what it was given for it. `judge` says whether an answer solved it.

    `functions` are the environment's as they are to be shown, where more is known of them than they say. `later` are
    tools that may be offered as soon as `fitting` names them.
    """

    recording: Recording
    environment: Environment
    choice: Choice
    functions: Mapping[str, FunctionSpec] = field(default_factory=dict)
    later: Sequence[CallableTool] = ()
    fitting: Fitting = lambda _answers: ()
    budgets: Budgets = field(default_factory=Budgets)
    judge: Judge = unjudged
    listen: events.RunListener = events.ignore


@dataclass(frozen=True, kw_only=True)
class Executor:
    """Runs tasks with one model; several at a time, each with a session of its own."""

    model: ChatModel
    sandbox: Callable[[], Sandbox]
    manager: Manager
    limits: Limits = LIMITS
    clock: Clock = field(default_factory=Clock)

    def run(self, task: RunTask) -> RunResult:
        """Return what a task came to; its trajectory is stored, however it ended."""
        attributes = {telemetry.AGENT: "nucleate", telemetry.CONVERSATION: task.recording.task_id}
        with telemetry.span("invoke_agent", attributes) as noted:
            result = self._recorded(task)
            if not result.finished:
                noted.failed(result.ending.value)
        task.listen(events.RunEnded(result=result))
        return result

    def _recorded(self, task: RunTask) -> RunResult:
        with task.recording as recording:
            tools = {tool.version.name: tool for tool in (*task.later, *recording.tools)}
            versions = {name: tool.version for name, tool in tools.items()}
            recalls = Recalls(self.manager, scope=task.environment.name, given=task.choice, tools=versions)
            search = partial(self._found, task) if len(_shown(task)) > MOST_FULL else None
            scope = SessionScope(
                task.environment, [*tools.values()], recalls, search=search, watch=_watcher(task.listen)
            )
            task.listen(_started(task))
            parts = self.prompt_parts(task)
            loop = Loop(self._gear(task, scope), opening(task, parts))
            stop = loop.run()
            answer = scope.finished.answer if scope.finished is not None else None
            taken = {**_tokens(parts), **loop.tokens}
            recording.note(run={**_noted(self.model.name, stop, answer, loop.meter.spent, task.choice), "parts": taken})
            recording.note(blocks=[*loop.blocks])
            recording.finish(success=_success(stop, answer, task.judge))
        self.manager.used([item.entry.id for item in task.choice.entries] + recalls.ids)
        return RunResult(
            ending=stop.ending,
            answer=answer,
            error=stop.error,
            spent=loop.meter.spent,
            saved=scope.saved,
            selected=task.choice.plans,
            trajectory=recording.trajectory(),
            tools=tuple(
                dict.fromkeys(step.function for step in recording.trajectory().steps if step.function in tools)
            ),
        )

    def prompt_parts(self, task: RunTask) -> Mapping[str, str]:
        """Return the parts of a run's first message, in order: what holds for every task stands first."""
        functions, choice = _shown(task), task.choice
        rank = self.manager.rank
        shown = laid_out(functions, task.recording.query, rank, named=_named(functions, choice))
        recalled = self.manager.tells
        tools = bool(choice.closure or task.later)
        more = [
            *([render("more_search")] if shown.near else []),
            *([render("more_tools")] if tools else []),
            *([render("more_recall")] if recalled else []),
        ]
        system = render(
            "system",
            environment=task.environment.name,
            functions=shown.stable,
            more="".join(f"{text}\n" for text in more),
        )
        found = {"system": system}
        if shown.near:
            found["near"] = f"# Functions near this task\n\n{shown.near}"
        if tools:
            found["tools"] = f"# Tools\n\n{_offered(choice)}"
        if recalled or choice.guidance:
            found["guidance"] = f"# What is known from earlier tasks\n\n{choice.guidance or NONE_YET}"
        return found

    def _found(self, task: RunTask, query: str) -> str:
        return found_text(_shown(task), query, self.manager.rank)

    def _gear(self, task: RunTask, scope: SessionScope) -> LoopServices:
        return LoopServices(
            model=self.model,
            scope=scope,
            bench=Workbench(WorkPlace(sandbox=self.sandbox, scope=scope, limits=self._limits(task.budgets))),
            budgets=task.budgets,
            record=lambda steps: task.recording.add(*steps),
            listen=task.listen,
            clock=self.clock,
            offers=GrowingOffers(task.fitting, [version.name for version in task.choice.closure]).after,
            before=task.choice.replies,
        )

    def _limits(self, budgets: Budgets) -> Limits:
        """Return the bounds of one action: never longer than the run itself."""
        return replace(self.limits, wall_seconds=min(self.limits.wall_seconds, budgets.seconds))


def opening(task: RunTask, parts: Mapping[str, str]) -> Sequence[Message]:
    """Return the messages before the first reply."""
    asked = render("task", query=task.recording.query)
    system = "\n\n".join(parts.values())
    return (Message(role=Role.SYSTEM, content=system), Message(role=Role.USER, content=asked))


def _shown(task: RunTask) -> Mapping[str, FunctionSpec]:
    return task.functions or task.environment.functions


def _named(functions: Mapping[str, FunctionSpec], choice: Choice) -> list[str]:
    """Return the functions that the guidance names."""
    return [name for name in functions if name in choice.guidance] if choice.guidance else []


def _offered(choice: Choice) -> str:
    """Return the chosen tools in full, and those that they call by their names."""
    chosen = {item.version.name for item in choice.tools}
    full = [version for version in choice.closure if version.name in chosen or not chosen]
    called = [version.name for version in choice.closure if version not in full]
    more = f"\n* in scope as well, since those call them: {', '.join(called)}" if called else ""
    return tools_text(full) + more


def _tokens(parts: Mapping[str, str]) -> dict[str, Json]:
    """Return how many tokens each part of the first message has, by the project's estimate."""
    return {name: estimate_tokens(text) for name, text in parts.items()}


def _started(task: RunTask) -> events.RunStarted:
    return events.RunStarted(
        task_id=task.recording.task_id,
        query=task.recording.query,
        environment=task.environment.name,
        choice=task.choice,
    )


def _watcher(listen: events.RunListener) -> Callable[[str, dict[str, Json]], None]:
    return lambda name, arguments: listen(events.Calling(name=name, arguments=arguments))


def _noted(model: str, stop: RunStopped, answer: Json, spent: RunSpent, choice: Choice) -> dict[str, Json]:
    """Return what a run took, to be kept with its trajectory."""
    return {
        "model": model,
        "ending": stop.ending.value,
        "error": stop.error,
        "answer": answer,
        "steps": spent.steps,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "dollars": spent.dollars,
        "chosen_by": choice.by,
        "prompts": PROMPTS.hash[:16],
    }


def _success(stop: RunStopped, answer: Json, judge: Judge) -> bool | None:
    """A run that did not finish failed; an outage says nothing of the task, nor of the tools."""
    if stop.ending is RunEnding.FINISHED:
        return judge(answer)
    return None if stop.ending is RunEnding.OUTAGE else False
