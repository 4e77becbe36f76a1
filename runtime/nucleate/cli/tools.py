"""`nucleate tools`: list, show, source, test, call, refused."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax

from nucleate.cli import render
from nucleate.cli.arguments import parse_arguments
from nucleate.cli.context import environment_for, open_runtime
from nucleate_codifier import Decision

app = typer.Typer(help="The tool library: look, test, call.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The tool's name.")]
Scope = Annotated[str | None, typer.Option(help="The environment, where the name alone is ambiguous.")]


@app.command("list")
def list_tools(context: typer.Context, scope: Scope = None) -> None:
    """List the tools with their state, uses and capabilities."""
    with open_runtime(context, must_exist=True) as runtime:
        Console().print(render.tool_table(runtime.library.tools(scope=scope)))


@app.command()
def show(context: typer.Context, name: Name, scope: Scope = None) -> None:
    """Show a tool: source, signature, evidence, closure, capabilities, and the verdict with every gate."""
    with open_runtime(context, must_exist=True) as runtime:
        tool = runtime.library.tool(name, scope=scope)
        closure = runtime.library.close([tool.version.id])
        Console().print(render.tool_page(tool, closure))


@app.command()
def source(context: typer.Context, name: Name, scope: Scope = None) -> None:
    """Print a tool's source, as it is stored."""
    with open_runtime(context, must_exist=True) as runtime:
        text = runtime.library.tool(name, scope=scope).version.source
        console = Console()
        if console.is_terminal:
            console.print(Syntax(text, "python"))
        else:
            sys.stdout.write(text)


@app.command("test")
def judge(context: typer.Context, name: Name, scope: Scope = None) -> None:
    """Judge a tool again by all gates, on its stored evidence.

    Exit code 1 if it is refused, 2 if nothing could judge it.
    """
    with open_runtime(context, must_exist=True) as runtime:
        verdict = runtime.test(name, scope=scope)
    Console().print(render.verdict_table(verdict))
    if verdict.decision is not Decision.ADMITTED:
        sys.exit(2 if verdict.decision is Decision.UNJUDGED else int(verdict.decision is Decision.REJECTED))


@app.command()
def call(
    context: typer.Context,
    name: Name,
    arguments: Annotated[list[str] | None, typer.Argument(help="name=value pairs; a value is JSON or text.")] = None,
    scope: Scope = None,
    environment: Annotated[str | None, typer.Option(help="MODULE:NAME of the environment to call it in.")] = None,
    task: Annotated[str | None, typer.Option(help="Answer from this recorded task.")] = None,
) -> None:
    """Call a tool in the sandbox and print its value as JSON. Exit code 1 if the tool ends with an error."""
    with open_runtime(context, must_exist=True) as runtime:
        tool = runtime.library.tool(name, scope=scope)
        values = parse_arguments(arguments or [], tool.version.signature)
        target = environment_for(runtime, tool.scope, target=environment, task=task)
        outcome = runtime.call(name, values, target, path="cli")
    if outcome.ok:
        sys.stdout.write(json.dumps(outcome.value, indent=2, ensure_ascii=False) + "\n")
        return
    Console(stderr=True).print(render.failure_text(outcome), highlight=False, markup=False)
    sys.exit(1)


@app.command()
def refused(context: typer.Context, scope: Scope = None) -> None:
    """List what was not admitted, with the findings that refused it."""
    with open_runtime(context, must_exist=True) as runtime:
        judgements = [item for item in runtime.verdicts.list(scope=scope) if item.decision is not Decision.ADMITTED]
        Console().print(render.refused_table(judgements))
