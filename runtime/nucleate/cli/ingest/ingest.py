"""`nucleate ingest`: recordings in, plans and tools out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from nucleate.cli.context import open_runtime
from nucleate.cli.files import read_text
from nucleate.cli.ingest.sources import RecordingFile, recordings
from nucleate.cli.ingest.tally import Tally
from nucleate.cli.screen import Screen
from nucleate.environments import FunctionsFile, read_functions
from nucleate.errors import InputInvalid
from nucleate.recording.intake import IngestReport, Origin
from nucleate.runtime import Runtime
from nucleate_sandbox import Effect
from nucleate_text_memory import FORMATS

UNKNOWN = "the functions of {!r} are not known, so nothing is codified there; --functions FILE names them"
NOTHING = "{}: no task in which a function was called; if there should be one, name the format by --format"
INFERRED = (
    "{count} functions of {scope!r} are described by nothing but their recorded calls: plans are learned from them, "
    "and tools where values show what depends on what{destructive}; --functions FILE describes them exactly"
)
LEFT_OUT = "left out: {}"
APART = "{name!r} reads like another function's name; it is {function} here"
DESTRUCTIVE = ". A tool that calls {} would need an approval, since what such a call does cannot be foreseen"


def ingest(
    context: typer.Context,
    sources: Annotated[
        list[str], typer.Argument(help="Files, folders, patterns, or - for standard input; gzip is unpacked.")
    ],
    functions: Annotated[Path | None, typer.Option(help="The environment's functions, as JSON.")] = None,
    environment: Annotated[str | None, typer.Option(help="The environment's name, where lines have none.")] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(help=f"auto, {', '.join(FORMATS)}: told by what stands in the file, unless named.")
    ] = "auto",
) -> None:
    """Read recorded trajectories in order and learn from each. A malformed line is reported; the rest goes on.

    Known are our own JSON Lines, message lists of providers' APIs, transcripts, results of tau2-bench and BFCL, traces
    (OTLP JSON), MCP traffic, and sessions, streams and hooks of Claude Code, Codex, Gemini CLI, Qwen Code and opencode.
    """
    if format not in ("auto", *FORMATS):
        raise InputInvalid(f"no format is named {format!r}; there are auto, {', '.join(FORMATS)}")
    tally, described = Tally(), read_functions(read_text(functions)) if functions else None
    files = recordings(sources)
    with open_runtime(context, inline=True, listen=tally) as runtime:
        if described is not None:
            runtime.scopes.remember(environment or described.environment, described.functions)
        origin = Origin(environment=_asked_for(environment, described), format=format)
        reports = _take(runtime, files, origin)
        runtime.resume()
        _print(reports, tally)
        _tell(runtime, reports.values())
    if not any(report.stored or report.known for report in reports.values()) and any(r.bad for r in reports.values()):
        sys.exit(2)


def _asked_for(environment: str | None, described: FunctionsFile | None) -> str | None:
    return environment or (described.environment if described else None)


def _take(runtime: Runtime, files: Iterable[RecordingFile], origin: Origin) -> dict[str, IngestReport]:
    reports: dict[str, IngestReport] = {}
    console = Screen(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for file in files:
            told = replace(origin, fallback=file.environment, name=file.name)
            with file.lines() as lines:
                tracked = progress.track(lines, total=None, description=f"learning from {file.name}")
                reports[str(file.path or file.name)] = runtime.take(tracked, told)
    return reports


def _print(reports: Mapping[str, IngestReport], tally: Tally) -> None:
    console = Screen()
    for name, report in reports.items():
        place = f"{name}: " if len(reports) > 1 else ""
        for bad in report.bad:
            line = f"line {bad.number}: " if bad.number else ""
            console.print(f"{place}{line}{bad.message}", markup=False, highlight=False, style="yellow", soft_wrap=True)
        if not (report.stored or report.known or report.bad or report.left_out):
            console.print(NOTHING.format(name), markup=False, highlight=False, style="yellow", soft_wrap=True)
    _print_left_out(console, reports.values())
    table = Table(title="What was learned", title_justify="left", show_header=False)
    rows = {
        "trajectories stored": sum(report.stored for report in reports.values()),
        "calls in them": sum(report.steps for report in reports.values()),
        "already known": sum(report.known for report in reports.values()),
        "lines refused": sum(len(report.bad) for report in reports.values()),
    }
    for name, count in {**rows, **tally.rows()}.items():
        table.add_row(name, str(count))
    console.print(table)
    console.print("next: nucleate tools list, nucleate memory list, nucleate tools refused", highlight=False)


def _print_left_out(console: Screen, reports: Iterable[IngestReport]) -> None:
    """Say what no task holds, and which functions' names read like another one's."""
    counts, apart = Counter[str](), dict[str, str]()
    for report in reports:
        counts.update(report.left_out)
        apart |= report.apart
    if counts:
        told = ", ".join(f"{count} {what}" for what, count in counts.most_common())
        console.print(LEFT_OUT.format(told), markup=False, highlight=False, soft_wrap=True)
    for function, name in sorted(apart.items()):
        console.print(APART.format(name=name, function=function), markup=False, highlight=False, soft_wrap=True)


def _tell(runtime: Runtime, reports: Iterable[IngestReport]) -> None:
    """Say what of it can become tools, and what cannot."""
    for scope in runtime.memory.scopes():
        if not runtime.scopes.knows(scope):
            Screen().print(UNKNOWN.format(scope), highlight=False)
    for scope in sorted({name for report in reports for name in report.inferred}):
        functions = runtime.scopes.view(scope).functions
        wild = sorted(name for name, spec in functions.items() if spec.effect is Effect.DESTRUCTIVE)
        destructive = DESTRUCTIVE.format(", ".join(wild)) if wild else ""
        text = INFERRED.format(count=len(functions), scope=scope, destructive=destructive)
        Screen().print(text, markup=False, highlight=False, soft_wrap=True)
