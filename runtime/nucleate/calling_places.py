"""Where a tool is called: in an environment given by name or place, in a recorded task, in its scope's own."""

from __future__ import annotations

from nucleate.environments.connections import load_object
from nucleate.environments.scopes import as_environment
from nucleate.errors import InputInvalid
from nucleate.runtime import Runtime
from nucleate.shop import open_shop
from nucleate_codifier.trace import call_of
from nucleate_sandbox import Environment, RecordedEnvironment


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
