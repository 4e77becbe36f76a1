"""Puts the commands together; every known error becomes one line and exit code 2."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from nucleate.cli.choices import Choices
from nucleate.cli.commands import COMMANDS
from nucleate.cli.deferred import DeferredGroup
from nucleate.errors import NucleateError


class Commands(DeferredGroup):
    """The commands of `nucleate`."""

    places = COMMANDS


app = typer.Typer(
    cls=Commands,
    name="nucleate",
    help="What your agents do again and again becomes tested Python.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
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
    from rich.text import Text  # no command but one that fails needs it

    from nucleate.cli.screen import Screen

    said = Text.assemble(("nucleate:", "red"), " ", " ".join(message.split()))  # as it stands: [x] is no markup
    Screen(stderr=True).print(said, soft_wrap=True, highlight=False)
    sys.exit(2)
