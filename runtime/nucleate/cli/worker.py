"""`nucleate worker`: takes up what was left undone."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from nucleate.cli.context import open_runtime


def worker(
    context: typer.Context,
    retry: Annotated[bool, typer.Option(help="Try failed jobs again too.")] = False,
) -> None:
    """Finish queued work: trajectories not yet learned from, plans that are due. Ends when none is left."""
    with open_runtime(context, must_exist=True) as runtime:
        if retry:
            runtime.jobs.retry()
        done = runtime.resume()
        left = {state: count for state, count in runtime.jobs.counts().items() if state != "done"}
        rest = ", ".join(f"{count} {state}" for state, count in sorted(left.items())) or "nothing"
        Console().print(f"{done} jobs done; left: {rest}", highlight=False)
