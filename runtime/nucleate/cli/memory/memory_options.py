"""The options that the memory commands share, and how their texts are read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from nucleate.errors import InputInvalid
from nucleate_text_memory import SourceSpan

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
EntryId = Annotated[str, typer.Argument(help="The entry's id.")]
OneScope = Annotated[str | None, typer.Option(help="One scope and those that it sees; all, if not given.")]
Moment = Annotated[str | None, typer.Option(help="When it was true, as 2025-03-01 or 2025-03-01T09:30+01:00; UTC.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept in the history.")]
Author = Annotated[str, typer.Option(help="Who says so; it is kept in the history.")]


def moment(option: str, text: str | None) -> datetime | None:
    """Return the moment that a text names; one without a zone is in UTC."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputInvalid(f"{option} {text!r} is no moment; write 2025-03-01 or 2025-03-01T09:30+01:00") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def evidence(texts: list[str]) -> tuple[SourceSpan, ...]:
    """Return the evidence that TASK:START:STOP texts name."""
    return tuple(_evidence(text) for text in texts)


def _evidence(text: str) -> SourceSpan:
    task, _, rest = text.partition(":") if text.count(":") == 2 else ("", "", "")
    start, _, stop = rest.partition(":")
    if not task or not start.isdecimal() or not stop.isdecimal():
        raise InputInvalid(f"--evidence {text!r} is not TASK:START:STOP with two step numbers; write task-1:0:3")
    return SourceSpan(task_id=task, start=int(start), stop=int(stop))
