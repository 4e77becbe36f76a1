"""`nucleate doctor`: what works here, and what to do about what does not."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

import typer
from rich.console import Console

from nucleate.cli.context import Choices, open_runtime
from nucleate.errors import NucleateError
from nucleate_sandbox import SandboxError
from nucleate_sandbox.docker import status


def doctor(context: typer.Context) -> None:
    """Check Python, Docker, the sandbox image, the embedded sandbox and the database. Exit code 1 if one fails."""
    console = Console()
    checks: dict[str, Callable[[], str]] = {"python": _python, "docker": _docker, "embedded sandbox": _monty}
    checks["database"] = partial(_database, context)
    failed = 0
    for name, check in checks.items():
        try:
            console.print(f"[green]ok[/green]    {name}: {check()}", highlight=False)
        except (NucleateError, SandboxError) as error:
            failed += 1
            console.print(f"[red]no[/red]    {name}: {error}", highlight=False)
    if failed:
        sys.exit(1)


def _python() -> str:
    return f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _docker() -> str:
    found = status()
    image = found.image if found.image_present else "no image yet; `nucleate sandbox build` makes it"
    return f"engine {found.engine}, {image}"


def _monty() -> str:
    from nucleate_sandbox import MontySandbox  # started only here: it spawns worker processes

    sandbox = MontySandbox()
    try:
        with sandbox.open() as session:
            return f"answers {session.run('6 * 7').value!r}"
    finally:
        sandbox.close()


def _database(context: typer.Context) -> str:
    location = cast("Choices", context.obj).settings().database
    if "://" not in location and not Path(location).exists():
        return f"none yet at {location!r}; the first command that learns makes it"
    with open_runtime(context) as runtime:
        return f"{location!r}: {len(runtime.memory.entries())} entries, {len(runtime.library.tools())} tools"
