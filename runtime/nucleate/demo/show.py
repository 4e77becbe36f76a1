"""The demo: a scripted agent works through thirty tasks while Nucleate learns from it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from nucleate.demo.agent import ScriptedAgent
from nucleate.demo.summary import Solved, summary_table
from nucleate.demo.tasks import Task, task_stream
from nucleate.demo.view import DemoView
from nucleate.runtime import Runtime
from nucleate.sandboxes import start_sandbox
from nucleate.settings.settings import Settings
from nucleate.shop import open_shop
from nucleate_sandbox import Environment, FunctionError, Sandbox

WELCOME = """\
An agent runs a shop's back office: {functions} functions, {tasks} tasks. What it does again and again becomes a tool.
The agent here is a script, so that no key is needed: a model takes its place where nucleate.demo.agent has `solve`.
B(p) counts the distinct tasks that selected a plan; at {theta} it is codified, and all gates judge the candidate."""


@dataclass(frozen=True, kw_only=True)
class Demo:
    """What the demo works with."""

    console: Console
    settings: Settings
    sandbox: Sandbox


def run_demo(console: Console, settings: Settings) -> bool:
    """Run the demo into the database of the settings; return whether every task was solved."""
    began = time.monotonic()
    with console.status("starting the sandbox (the first time builds its image, without a registry)"):
        sandbox = start_sandbox(settings.sandbox)
    try:
        solved = _stream(Demo(console=console, settings=settings, sandbox=sandbox))
    finally:
        sandbox.close()
    console.print(f"{time.monotonic() - began:.0f} seconds in all. Open it in a browser:", highlight=False)
    console.print(f"  .venv/bin/nucleate{_option(settings.database)} web", highlight=False)
    return all(item.success for item in solved)


def _stream(demo: Demo) -> list[Solved]:
    shop, tasks, view = open_shop(), task_stream(), DemoView(demo.console)
    # Without Docker a verdict is provisional; the demo shows such tools at work all the same, and says so.
    # It learns between its tasks, not beside them, so that each shows what came of the one before.
    chosen = {"allow_provisional": not demo.sandbox.final, "worker": "inline"}
    settings = demo.settings.model_copy(update=chosen)
    _welcome(demo, len(shop.functions), len(tasks))
    with Runtime(shop, settings=settings, sandbox=demo.sandbox, listen=view) as runtime:
        solved = [_solve(demo.console, runtime, shop, view, task) for task in tasks]
        demo.console.print(summary_table(solved, runtime))
        _next_steps(demo.console, runtime)
    return solved


def _solve(console: Console, runtime: Runtime, shop: Environment, view: DemoView, task: Task) -> Solved:
    recording = runtime.record(task.query, task_id=task.id)
    with recording as run:
        try:
            ScriptedAgent().solve(task, run)
        except FunctionError as error:
            console.print(f"     gave up   {error.kind}: {error.message}", style="red")
        success = task.solved(shop)
        run.finish(success=success)
        solved = Solved(task=task, steps=run.steps, success=success)
        console.print(_task_line(solved))
    view.flush()
    return solved


def _task_line(solved: Solved) -> Text:
    number = solved.task.id.rpartition("-")[2]
    result = Text(" solved" if solved.success else " not solved", style="green" if solved.success else "red")
    calls = Text(f"{len(solved.steps)} call{'s' * (len(solved.steps) != 1)}", style="bold")
    tools = Text(f" with {', '.join(solved.tools)}" if solved.tools else "", style="green")
    query = solved.task.query if len(solved.task.query) <= 92 else solved.task.query[:91] + "…"
    return Text(f"{number}   ", style="bold") + Text(f"{query}\n     ") + calls + tools + result


def _welcome(demo: Demo, functions: int, tasks: int) -> None:
    text = WELCOME.format(functions=functions, tasks=tasks, theta=demo.settings.theta)
    if not demo.sandbox.final:
        text += (
            "\nNo Docker engine answers: candidates run in the embedded interpreter, and every verdict is provisional."
        )
    demo.console.print(Panel(text, title="nucleate demo", title_align="left", border_style="dim"))


def _next_steps(console: Console, runtime: Runtime) -> None:
    database = runtime.settings.database
    option = _option(database)
    tools = runtime.library.tools()
    console.print(f"Look next, at {database}:", highlight=False)
    lines = ["tools list", *(f"tools show {tool.name}" for tool in tools[:1]), "tools refused", "memory list"]
    for line in lines:
        console.print(f"  .venv/bin/nucleate{option} {line}", highlight=False)


def _option(database: str) -> str:
    """Return what a command says to use this database; nothing where it does so anyhow."""
    return "" if Path(database) == Path(Settings.model_fields["database"].default) else f" --database {database}"
