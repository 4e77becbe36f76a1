"""`nucleate tools` verbs that run a tool: call, test."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from nucleate.calling_places import environment_for
from nucleate.cli.arguments import parse_arguments
from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.cli.tools import render
from nucleate.cli.tools.tools_options import AsJson, Name, Scope, print_json
from nucleate.errors import InputInvalid
from nucleate.shown.visible import json_text
from nucleate.tools import INVALID
from nucleate_codifier import Decision, verdict_json

EXIT = {Decision.UNJUDGED: 2, Decision.REJECTED: 1}


def judge(context: typer.Context, name: Name, scope: Scope = None, as_json: AsJson = False) -> None:
    """Judge a tool again by all gates, on its stored evidence.

    Exit code 1 if it is refused, 2 if nothing could judge it.
    """
    with open_runtime(context, must_exist=True) as runtime:
        verdict = runtime.test(name, scope=scope)
    if as_json:
        print_json(verdict_json(verdict))
    else:
        Screen().print(render.verdict_table(verdict))
    if verdict.decision in EXIT:
        sys.exit(EXIT[verdict.decision])


def call(
    context: typer.Context,
    name: Name,
    arguments: Annotated[list[str] | None, typer.Argument(help="name=value pairs; a value is JSON or text.")] = None,
    scope: Scope = None,
    environment: Annotated[str | None, typer.Option(help="MODULE:NAME of the environment to call it in.")] = None,
    task: Annotated[str | None, typer.Option(help="Answer from this recorded task.")] = None,
    as_json: AsJson = False,
) -> None:
    """Call a tool in the sandbox and print its value as JSON. Exit code 1 if the tool ends with an error.

    With --json: an object with the value or the failure, the calls made and the time taken.
    """
    with open_runtime(context, must_exist=True) as runtime:
        tool = runtime.library.tool(name, scope=scope)
        values = parse_arguments(arguments or [], tool.version.signature)
        target = environment_for(runtime, tool.scope, target=environment, task=task)
        outcome = runtime.call(tool.name, values, target, path="cli")
    if unchecked := render.unchecked_text(outcome):
        Screen(stderr=True).print(unchecked, highlight=False, markup=False, soft_wrap=True)
    if as_json:
        print_json(render.outcome_json(outcome))
    elif outcome.ok:
        sys.stdout.write(json_text(outcome.value))
    elif outcome.failure is not None and outcome.failure.kind == INVALID and not outcome.calls:
        raise InputInvalid(outcome.failure.message)
    else:
        Screen(stderr=True).print(render.failure_text(outcome), highlight=False, markup=False)
    if not outcome.ok:
        sys.exit(1)
