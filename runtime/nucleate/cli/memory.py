"""`nucleate memory`: plans, facts and pitfalls."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nucleate.cli.context import open_runtime
from nucleate_text_memory import Entry, Kind

app = typer.Typer(help="Plans, facts and pitfalls.", no_args_is_help=True)
Scope = Annotated[str | None, typer.Option(help="One environment only.")]


@app.command("list")
def list_entries(
    context: typer.Context,
    scope: Scope = None,
    kind: Annotated[Kind | None, typer.Option(help="One kind only.")] = None,
) -> None:
    """List the entries in force."""
    with open_runtime(context, must_exist=True) as runtime:
        entries = runtime.memory.entries(scope=scope, kind=kind)
        table = Table(title=f"{len(entries)} entries", title_justify="left")
        for column in ("id", "kind", "scope", "title", "tasks", "tools"):
            table.add_column(column, overflow="fold")
        for entry in entries:
            table.add_row(*_row(entry))
        Console().print(table)


@app.command()
def show(context: typer.Context, entry_id: str) -> None:
    """Show one entry with its evidence."""
    with open_runtime(context, must_exist=True) as runtime:
        entry = runtime.memory.entry(entry_id)
        console = Console()
        console.print(f"[bold]{entry.title}[/bold]  ({entry.kind}, {entry.scope}, confidence {entry.confidence:.2f})")
        console.print(entry.body, markup=False, highlight=False)
        console.print("evidence: " + ", ".join(f"{e.task_id}[{e.start}:{e.stop}]" for e in entry.evidence))
        if entry.kind is Kind.PLAN:
            buffer = runtime.recurrence.buffer(entry.id)
            console.print(f"B(p) {len(buffer.candidates)} of {buffer.threshold}, R(p) {len(buffer.related)}")
            console.print(f"tools: {', '.join(entry.implements) or 'none yet'}")


@app.command()
def search(context: typer.Context, query: str, scope: Annotated[str, typer.Option(help="The environment.")]) -> None:
    """Find the entries that fit a task."""
    with open_runtime(context, must_exist=True) as runtime:
        for item in runtime.memory.select(query, scope=scope):
            text = f"{item.score:.3f}  {item.entry.kind.value:8} {item.entry.id}  {item.entry.title}"
            Console().print(text, markup=False, highlight=False)


def _row(entry: Entry) -> tuple[str, ...]:
    tasks = str(len({item.task_id for item in entry.evidence}))
    return entry.id, entry.kind.value, entry.scope, entry.title, tasks, ", ".join(entry.implements)
