"""`nucleate jobs`: what waits, runs, is done or dead; try again, cancel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer
from rich.table import Table

from nucleate.cli.screen import Screen
from nucleate.cli.stores import open_jobs, open_to_look
from nucleate.errors import InputInvalid
from nucleate.jobs import shown
from nucleate.jobs.job_values import JobRecord, JobState
from nucleate.shown.visible import json_text
from nucleate_sandbox import JsonObject

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Argument(help="The job's number, as `jobs list` shows it.")]


def list_jobs(
    context: typer.Context,
    state: Annotated[list[JobState] | None, typer.Option(help="Only these states.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only these kinds: select, codify, reflect, …")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many, newest first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List jobs, newest first."""
    with open_to_look(context) as run:
        found = shown.listed(run, states=state or (), kinds=kind or (), limit=limit)
        counts = shown.counts(run)
    if as_json:
        _print_json({"counts": counts, "jobs": [_json(job) for job in found]})
        return
    Screen().print(_table(found))
    Screen().print(", ".join(f"{count} {name}" for name, count in counts.items()) or "no jobs", highlight=False)


def show(context: typer.Context, number: Number, as_json: AsJson = False) -> None:
    """Show one job: state, tries, who has it, what was last wrong; of a review also what came of it."""
    with open_to_look(context) as run:
        job = shown.shown(run, number)
        review = shown.review_of(run, job.subject) if job.kind == "review" else None
    _show(job, as_json, review=review)


def retry(
    context: typer.Context,
    number: Annotated[int | None, typer.Argument(help="The job's number.")] = None,
    dead: Annotated[bool, typer.Option("--dead", help="Every dead job.")] = False,
    as_json: AsJson = False,
) -> None:
    """Queue a job again that is dead, cancelled or waiting, as if it were new."""
    with open_jobs(context, looks=False) as queue:
        if number is not None:
            _show(queue.retry(number), as_json)
        elif dead:
            count = queue.retry_all()
            _print_json({"queued": count}) if as_json else Screen().print(f"{count} jobs queued", highlight=False)
        else:
            raise InputInvalid("say which job: `nucleate jobs retry NUMBER`, or --dead for every dead one")


def cancel(context: typer.Context, number: Number, as_json: AsJson = False) -> None:
    """Cancel a job that is queued or running; a running one ends at its next safe point."""
    with open_jobs(context, looks=False) as queue:
        _show(queue.cancel(number), as_json)


def _table(found: Sequence[JobRecord]) -> Table:
    table = Table("number", "kind", "subject", "lane", "state", "tries", "what was last wrong", box=None)
    for job in found:
        tries = str(job.attempts) if not job.deaths else f"{job.attempts}, {job.deaths} deaths"
        waits = f" until {job.not_before:%H:%M:%S} UTC" if job.not_before and job.state is JobState.QUEUED else ""
        table.add_row(str(job.id), job.kind, job.subject, job.lane, f"{job.state}{waits}", tries, job.error[:80])
    return table


def _show(job: JobRecord, as_json: bool, *, review: JsonObject | None = None) -> None:
    if as_json:
        _print_json(_json(job) if review is None else {**_json(job), "review": review})
        return
    table = Table(show_header=False, box=None)
    for name, value in _json(job).items():
        if value not in (None, ""):
            table.add_row(name, str(value))
    Screen().print(table)
    if review is not None:
        _print_json(review)


def _json(job: JobRecord) -> dict[str, object]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(job).items()}


def _print_json(value: object) -> None:
    typer.echo(json_text(value), nl=False)
