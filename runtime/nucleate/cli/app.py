"""Puts the commands together; every known error becomes one line and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, ClassVar

import typer
from rich.text import Text

from nucleate.cli.choices import Choices
from nucleate.cli.deferred import CommandPlace, DeferredGroup
from nucleate.cli.screen import Screen
from nucleate.errors import NucleateError

# Each help is the first sentence of the command's own; a test holds them together.
COMMANDS: Mapping[str, CommandPlace] = {
    "demo": CommandPlace(
        "nucleate.cli.demo:demo", "Watch a scripted agent work, and recurring plans become tested tools."
    ),
    "run": CommandPlace("nucleate.cli.run.run:run", "Do a task with the built-in agent, and learn from it."),
    "ingest": CommandPlace(
        "nucleate.cli.ingest.ingest:ingest", "Read recorded trajectories in order and learn from each."
    ),
    "env": CommandPlace("nucleate.cli.env.env_group:app", "Environments by name: add, look, call, watch for drift."),
    "memory": CommandPlace(
        "nucleate.cli.memory.memory_group:app", "Plans, facts and pitfalls: look, add, correct, forget."
    ),
    "tools": CommandPlace("nucleate.cli.tools.tools_group:app", "The tool library: look, test, call."),
    "admit": CommandPlace(
        "nucleate.cli.admit.admit:admit",
        "Judge the tools of a repository by every gate, without agent, memory or model.",
    ),
    "worker": CommandPlace("nucleate.cli.worker:worker", "Do queued work: learn from tasks, codify plans, reflect."),
    "jobs": CommandPlace("nucleate.cli.jobs:app", "Background work: look, try again, cancel."),
    "serve": CommandPlace("nucleate.cli.serve:serve", "Serve tools and memory over MCP."),
    "web": CommandPlace("nucleate.cli.web:web", "Open the page: see the loop, judge the tools, take over."),
    "stats": CommandPlace(
        "nucleate.cli.stats:stats", "Show what was learned so far, what it is used for, and what it saved."
    ),
    "sandbox": CommandPlace("nucleate.cli.sandbox:app", "The Docker sandbox: build its image, look at it, clean up."),
    "db": CommandPlace("nucleate.cli.db:app", "The database: copy it into another one, and look whether it is sound."),
    "config": CommandPlace("nucleate.cli.config:app", "The settings: what counts, and where it comes from."),
    "init": CommandPlace("nucleate.cli.config:init", "Write a commented nucleate.toml into this folder."),
    "doctor": CommandPlace(
        "nucleate.cli.doctor:doctor",
        "Look at every part that the product stands on, and say the next step where one does not work.",
    ),
}


class Commands(DeferredGroup):
    """The commands of `nucleate`."""

    places: ClassVar[Mapping[str, CommandPlace]] = COMMANDS


app = typer.Typer(
    cls=Commands,
    name="nucleate",
    help="What your agents do again and again becomes tested Python.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def _choices(
    context: typer.Context,
    database: Annotated[str | None, typer.Option(help="A file or a SQLAlchemy URL (NUCLEATE_DATABASE).")] = None,
    sandbox_choice: Annotated[
        str | None, typer.Option("--sandbox", help="auto, docker or monty (NUCLEATE_SANDBOX).")
    ] = None,
) -> None:
    given = {"database": database, "sandbox": sandbox_choice}
    context.obj = Choices({name: value for name, value in given.items() if value is not None})


def main() -> None:
    """Run the command line."""
    try:
        app()
    except NucleateError as error:
        _stop(str(error))
    except Exception as error:
        message = _known(error)
        if message is None:
            raise
        _stop(message)


def _known(error: Exception) -> str | None:
    """Return what to say of an error of the packages below; they are imported by now, if it is one of theirs."""
    from pydantic import ValidationError

    from nucleate.environments import FunctionsFileError
    from nucleate_codifier.repository import RepositoryError
    from nucleate_codifier.rulebook import UnknownRule
    from nucleate_sandbox import SandboxError
    from nucleate_text_memory import MemoryFault
    from nucleate_tool_library import LibraryError

    if isinstance(error, UnknownRule):
        return str(error.args[0])
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    ours = (SandboxError, LibraryError, MemoryFault, FunctionsFileError, RepositoryError)
    return str(error) if isinstance(error, ours) else None


def _stop(message: str) -> None:
    said = Text.assemble(("nucleate:", "red"), " ", " ".join(message.split()))  # as it stands: [x] is no markup
    Screen(stderr=True).print(said, soft_wrap=True, highlight=False)
    sys.exit(2)
