"""What the commands share: settings from options, a runtime, an environment to call tools in."""

from __future__ import annotations

from typing import cast

import typer

from nucleate import events
from nucleate.cli import stores
from nucleate.cli.choices import Choices
from nucleate.cli.confirming import AtTerminal
from nucleate.database import looking
from nucleate.environments.connections import load_object
from nucleate.environments.scopes import as_environment
from nucleate.errors import InputInvalid
from nucleate.runtime import Runtime
from nucleate.shop import open_shop
from nucleate_codifier.trace import call_of
from nucleate_sandbox import Environment, RecordedEnvironment


def open_runtime(
    context: typer.Context,
    *,
    must_exist: bool = False,
    looks: bool = False,
    inline: bool = False,
    listen: events.Listener = events.ignore,
) -> Runtime:
    """Open the runtime that the options describe; a command that only looks makes and changes none.

    A command that has nothing to do but to learn says `inline`, and shows how it goes.
    """
    settings = cast("Choices", context.obj).settings(on_outage="raise")
    if inline and settings.worker == "thread":
        settings = settings.model_copy(update={"worker": "inline"})
    if must_exist or looks:
        stores.must_exist(settings.database)
    if looks:
        context.with_resource(looking())
    return Runtime(settings=settings, approve=AtTerminal(), listen=listen)


def environment_for(runtime: Runtime, scope: str, *, target: str | None, task: str | None) -> Environment:
    """Return the environment to call a tool in: MODULE:NAME or a name, a recorded task, the scope's own, the shop."""
    if target is not None:
        return as_environment(load_object(target)) if ":" in target else runtime.known.open(target)
    if task is not None:
        return recorded(runtime, task)
    if scope in runtime.known.all():
        return runtime.known.open(scope)
    if scope == "shop":
        return open_shop()
    raise InputInvalid(
        f"the environment {scope!r} does not run here; nucleate env add says how to reach it, "
        "--environment MODULE:NAME gives one, --task TASK_ID answers from a recording"
    )


def recorded(runtime: Runtime, task_id: str) -> RecordedEnvironment:
    """Return an environment that answers from one stored trajectory."""
    trajectory = runtime.memory.trajectory(task_id)
    functions = runtime.scopes.view(trajectory.environment).functions
    return RecordedEnvironment(trajectory.environment, functions, [call_of(step) for step in trajectory.steps])
