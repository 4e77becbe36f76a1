"""A run in a terminal: each step as it ends, and below it, live, what is going on and what it has cost."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.spinner import Spinner
from rich.syntax import Syntax
from rich.text import Text

from nucleate.cli.screen import Screen
from nucleate.executor import run_events as events
from nucleate.executor.actions import Action, CodeAction
from nucleate.executor.budgets import RunSpent
from nucleate.executor.observations import NOTHING
from nucleate.executor.result import RunResult
from nucleate.executor.shortening import shortened
from nucleate.manager import Choice
from nucleate_sandbox import canonical

SHOWN = 700  # characters of one observation
_INDENT = (0, 0, 0, 3)


class RunView:
    """A listener that prints; without `live`, and where the output is no terminal, nothing is drawn over."""

    def __init__(self, console: Screen, *, live: bool, svg: Path | None = None) -> None:
        self._console = console
        self._live = Live(console=console, transient=True, refresh_per_second=8) if live else None
        self._svg = svg
        self._spent = RunSpent()
        self._doing = "choosing from memory"
        self._calls = 0
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        if self._svg is not None:
            self._console.save_svg(str(self._svg), title="nucleate run")

    def __call__(self, event: events.RunEvent) -> None:
        """Show one event; calls come from the sandbox's threads."""
        with self._lock:
            self._show(event)
            if self._live is not None:
                self._live.update(self._status())

    def _show(self, event: events.RunEvent) -> None:
        match event:
            case events.RunStarted():
                self._print(_head(event))
            case events.ModelAsked(number=number):
                self._doing = f"step {number}: the model is thinking"
            case events.Acting():
                self._spent, self._doing = event.spent, f"step {event.number}: running"
                self._print(_action(event.number, event.action))
            case events.Calling(name=name):
                self._calls += 1
                self._doing = f"{self._doing.partition(':')[0]}: {name}"
            case events.Observed():
                self._spent = event.spent
                if event.observation != NOTHING:
                    self._print(_observation(event))
            case events.Corrected(problem=problem):
                self._print(_line("corrected", "yellow", problem))
            case events.Retrying(what=what, error=error, seconds=seconds):
                self._print(_line("waiting", "yellow", f"the {what} is out of order ({error}); again in {seconds:g} s"))
            case events.RunEnded(result=result):
                self._doing = "learning from the run"
                self._print(_end(result))

    def _print(self, shown: RenderableType) -> None:
        self._console.print(shown)

    def _status(self) -> RenderableType:
        calls = f"{self._calls} call{'s' * (self._calls != 1)}"
        return Spinner("dots", Text(f" {self._doing} · {calls} · {money(self._spent)}", style="dim"))


def money(spent: RunSpent) -> str:
    """Return tokens, dollars and seconds."""
    dollars = "price unknown" if spent.dollars is None else f"${spent.dollars:.4f}"
    return f"{spent.tokens:,} tokens · {dollars} · {spent.seconds:.1f} s"


def _head(event: events.RunStarted) -> RenderableType:
    return Group(
        Text(event.query, style="bold"), Text(f"{event.environment} · {_given(event.choice)}", style="dim"), ""
    )


def _given(choice: Choice) -> str:
    kinds = [item.entry.kind.value for item in choice.entries]
    counts = [f"{kinds.count(kind)} {kind}{'s' * (kinds.count(kind) != 1)}" for kind in dict.fromkeys(kinds)]
    tools = ", ".join(version.name for version in choice.closure)
    return f"given {', '.join(counts) or 'no entries'}; {f'tools {tools}' if tools else 'no tools'}"


def _action(number: int, action: Action) -> RenderableType:
    head = Text(f"{number:<3}", style="bold cyan") + Text(shortened(action.thought, SHOWN))
    if isinstance(action, CodeAction):
        code: RenderableType = Syntax(action.code.rstrip("\n"), "python", theme="ansi_dark", word_wrap=True)
    else:
        code = Text(f"{action.name}({canonical(action.arguments)})", style="magenta")
    return Group(head, Padding(code, _INDENT))


def _observation(event: events.Observed) -> RenderableType:
    failed = any(line.startswith("error: ") for line in event.observation.splitlines())
    text = Text(shortened(event.observation, SHOWN), style="red" if failed else "green")
    made = len(event.steps)
    calls = Text(f"{made} call{'s' * (made != 1)}" if made else "", style="dim")
    return Padding(Group(text, calls), _INDENT)


def _line(label: str, style: str, text: str) -> Text:
    return Text(f"{label}  ", style=style) + Text(text)


def _end(result: RunResult) -> RenderableType:
    calls = f"{result.calls} call{'s' * (result.calls != 1)}"
    saved = f" ({result.saved} saved by {', '.join(result.tools)})" if result.saved else ""
    steps = f"{result.spent.steps} step{'s' * (result.spent.steps != 1)}"
    total = Text(f"{steps} · {calls}{saved} · {money(result.spent)} · {result.task_id}", style="dim")
    if result.finished:
        answer = result.answer if isinstance(result.answer, str) else canonical(result.answer)
        return Group(_line("finished", "bold green", answer), total)
    return Group(_line(f"ended: {result.ending.value}", "bold red", result.error), total)
