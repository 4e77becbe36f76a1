"""`nucleate ingest`: recorded trajectories in, plans and tools out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from nucleate.cli.context import open_runtime
from nucleate.cli.files import open_lines, read_text
from nucleate.cli.tally import Tally
from nucleate.environments import read_functions
from nucleate.recording.intake import IngestReport

UNKNOWN = "the functions of {!r} are not known, so nothing is codified there; --functions FILE names them"


def ingest(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="JSON Lines: trajectories, or OpenAI message lists with tool calls.")],
    functions: Annotated[Path | None, typer.Option(help="The environment's functions, as JSON.")] = None,
    environment: Annotated[str | None, typer.Option(help="The environment's name, where lines have none.")] = None,
) -> None:
    """Read recorded trajectories in order and learn from each. A malformed line is reported; the rest goes on."""
    tally = Tally()
    with open_lines(file) as lines, open_runtime(context, inline=True, listen=tally) as runtime:
        if functions is not None:
            described = read_functions(read_text(functions))
            environment = environment or described.environment
            runtime.scopes.remember(environment or _stem(file), described.functions)
        with Progress(console=Console(stderr=True), transient=True) as progress:
            tracked = progress.track(lines, total=None, description="learning")
            report = runtime.ingest(tracked, environment=environment or _stem(file))
        runtime.resume()
        _print(report, tally)
        for scope in runtime.memory.scopes():
            if not runtime.scopes.knows(scope):
                Console().print(UNKNOWN.format(scope), highlight=False)
    if report.bad and not report.stored and not report.known:
        sys.exit(2)


def _stem(path: Path) -> str:
    name = "".join(c if c.isalnum() else "_" for c in path.stem.lower()).strip("_")
    return name if name.isidentifier() else f"env_{name}"


def _print(report: IngestReport, tally: Tally) -> None:
    console = Console()
    for bad in report.bad:
        console.print(f"line {bad.number}: {bad.message}", markup=False, highlight=False, style="yellow")
    table = Table(title="What was learned", title_justify="left", show_header=False)
    rows = {"trajectories stored": report.stored, "already known": report.known, "lines refused": len(report.bad)}
    for name, count in {**rows, **tally.rows()}.items():
        table.add_row(name, str(count))
    console.print(table)
    console.print("next: nucleate tools list, nucleate memory list, nucleate tools refused", highlight=False)
