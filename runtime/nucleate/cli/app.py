"""Puts the commands together; every known error becomes one line and exit code 2."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from hypothesis.configuration import set_hypothesis_home_dir
from pydantic import ValidationError
from rich.console import Console

from nucleate.cli import admit, config, demo, doctor, ingest, memory, sandbox, tools, worker
from nucleate.cli.context import Choices, cache_folder
from nucleate.environments import FunctionsFileError
from nucleate.errors import NucleateError
from nucleate_codifier.repository import RepositoryError
from nucleate_codifier.rulebook import UnknownRule
from nucleate_sandbox import SandboxError
from nucleate_text_memory import MemoryFault
from nucleate_tool_library import LibraryError

app = typer.Typer(
    name="nucleate",
    help="What your agents do again and again becomes tested Python.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("demo")(demo.demo)
app.command("ingest")(ingest.ingest)
app.add_typer(memory.app, name="memory")
app.add_typer(tools.app, name="tools")
app.add_typer(sandbox.app, name="sandbox")
app.add_typer(config.app, name="config")
app.command("init")(config.init)
app.command("admit")(admit.admit)
app.command("worker")(worker.worker)
app.command("doctor")(doctor.doctor)


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
    set_hypothesis_home_dir(cache_folder() / "hypothesis")  # it would leave a folder in the user's otherwise
    try:
        app()
    except (NucleateError, SandboxError, LibraryError, MemoryFault, FunctionsFileError, RepositoryError) as error:
        _stop(str(error))
    except UnknownRule as error:
        _stop(error.args[0])
    except ValidationError as error:
        _stop("; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()))


def _stop(message: str) -> None:
    Console(stderr=True).print(f"[red]nucleate:[/red] {' '.join(message.split())}", soft_wrap=True, highlight=False)
    sys.exit(2)
