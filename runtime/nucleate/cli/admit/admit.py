"""`nucleate admit`: judges the tool modules of a repository, for people and for CI."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from nucleate.cli.admit import admit_view
from nucleate.cli.admit.file_changes import wait_for_a_change
from nucleate.cli.choices import Choices, cache_folder
from nucleate.cli.screen import Screen
from nucleate.errors import InputInvalid
from nucleate.repositories import admit_repository
from nucleate.sandboxes import start_sandbox
from nucleate.settings.backends import Backend
from nucleate_codifier.repository import (
    FileVerdicts,
    JudgingSetup,
    NoVerdicts,
    RepositoryReport,
    as_github,
    as_json,
    as_junit,
    as_sarif,
)
from nucleate_codifier.rulebook import explain


class Format(StrEnum):
    """How the report is written."""

    PEOPLE = "people"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    GITHUB = "github"
    SVG = "svg"


WRITERS: Mapping[Format, Callable[[RepositoryReport], str]] = {
    Format.PEOPLE: admit_view.as_text,
    Format.JSON: as_json,
    Format.JUNIT: as_junit,
    Format.SARIF: as_sarif,
    Format.GITHUB: as_github,
    Format.SVG: admit_view.as_svg,
}
ENDINGS = {".json": Format.JSON, ".xml": Format.JUNIT, ".sarif": Format.SARIF, ".svg": Format.SVG}


def admit(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Tool modules, or folders of them.")] = None,
    format_: Annotated[Format, typer.Option("--format", help="How the report is written.")] = Format.PEOPLE,
    output: Annotated[
        list[Path] | None,
        typer.Option(help="Write the report to a file; .sarif, .json, .xml and .svg choose the format."),
    ] = None,
    changed_since: Annotated[
        str | None, typer.Option(metavar="REV", help="Judge what changed since a commit, and what calls it.")
    ] = None,
    explain_rules: Annotated[
        bool, typer.Option("--explain", help="Explain the rules named in place of paths, or list all, and end.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Judge again what a change of files touches, until ended.")
    ] = False,
    sandbox: Annotated[str | None, typer.Option(help="docker, monty, or auto: the best that answers.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=32, help="How many tools are judged side by side.")] = 1,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Judge anew what was judged before.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show counts, times and hashes too.")] = False,
) -> None:
    """Judge the tools of a repository by every gate, without agent, memory or model.

    Exit code 0: all admitted. 1: one is refused. 2: one could not be judged (an outage, bad input, or a verdict that is
    provisional, since the embedded sandbox is no boundary).
    """
    if explain_rules:
        admit_view.show_rules(Screen(), [explain(str(path)) for path in paths or ()])
        return
    memory = NoVerdicts() if no_cache else FileVerdicts(cache_folder() / "verdicts")
    setup = JudgingSetup(sandbox=start_sandbox(_sandbox(context, sandbox)), memory=memory, jobs=jobs)
    judge = partial(admit_repository, paths or [], setup, changed_since=changed_since, progress=admit_view.progress)
    tell = partial(_write, format_=format_, files=output or [], verbose=verbose)
    try:
        report = judge()
        tell(report)
        while watch:
            wait_for_a_change(paths or [Path.cwd()])
            report = judge()
            tell(report)
    except KeyboardInterrupt:
        if not watch:
            raise
    finally:
        setup.sandbox.close()
    _tell_damage(memory.damaged)
    sys.exit(report.exit_code)


def _sandbox(context: typer.Context, given: str | None) -> Backend:
    choices = cast("Choices", context.obj)
    return choices.settings(**({"sandbox": given} if given is not None else {})).sandbox


def _write(report: RepositoryReport, format_: Format, files: list[Path], *, verbose: bool) -> None:
    """Write each file, and to the terminal what is in none of them: people's view, or the format that is left."""
    formats = {file: ENDINGS.get(file.suffix, format_) for file in files}
    for file, chosen in formats.items():
        _write_file(file, WRITERS[chosen](report))
    if format_ is Format.PEOPLE or format_ in formats.values():
        Screen(width=_width()).print(admit_view.report_view(report, verbose=verbose))
    else:
        sys.stdout.write(WRITERS[format_](report))


def _width() -> int | None:
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else admit_view.WIDTH


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputInvalid(f"the file {str(path)!r} cannot be written ({error.strerror}); choose another") from error


def _tell_damage(damaged: list[str]) -> None:
    for name in damaged:
        text = f"the remembered verdict {name} is damaged; it was ignored and the tool judged anew"
        Screen(stderr=True).print(text, highlight=False, soft_wrap=True)
