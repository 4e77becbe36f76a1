"""`nucleate run`: a task done by the built-in agent, watched step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, TypeAlias, cast

import typer

from nucleate.calling_places import environment_for
from nucleate.cli.choices import Choices
from nucleate.cli.confirming import AtTerminal
from nucleate.cli.run.run_lines import JsonLines
from nucleate.cli.run.run_view import RunView
from nucleate.cli.screen import Screen
from nucleate.executor import RunEnding, RunResult
from nucleate.models.lite import warm_up
from nucleate.runtime import Runtime
from nucleate_sandbox import Environment

WIDTH, DEMO = 110, "shop"
Display: TypeAlias = JsonLines | RunView
CODES = {RunEnding.FINISHED: 0, RunEnding.OUTAGE: 2}


def run(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What is to be done.")],
    environment: Annotated[
        str, typer.Option(help="MODULE:NAME, the name of a known environment, or the demo's shop.")
    ] = "shop",
    model: Annotated[str | None, typer.Option(help="A model by its LiteLLM name (NUCLEATE_MODEL).")] = None,
    model_url: Annotated[str | None, typer.Option(help="The address of a model server (NUCLEATE_MODEL_URL).")] = None,
    mode: Annotated[str | None, typer.Option(help="full, text_only, code_only, eager or none (NUCLEATE_MODE).")] = None,
    steps: Annotated[int | None, typer.Option(help="Steps at the most (NUCLEATE_RUN_STEPS).")] = None,
    tokens: Annotated[int | None, typer.Option(help="Tokens at the most (NUCLEATE_RUN_TOKENS).")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds at the most (NUCLEATE_RUN_SECONDS).")] = None,
    dollars: Annotated[float | None, typer.Option(help="Dollars at the most (NUCLEATE_RUN_DOLLARS).")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines without colours or a live display.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line for each event, the result last.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Learn from the run at once, or leave it to `nucleate worker`.")
    ] = True,
    svg: Annotated[Path | None, typer.Option(help="Also write what is shown to this SVG file.")] = None,
) -> None:
    """Do a task with the built-in agent, and learn from it. Exit code 0 finished, 1 not finished, 2 could not run."""
    budgets = {"run_steps": steps, "run_tokens": tokens, "run_seconds": seconds, "run_dollars": dollars}
    given: dict[str, object] = {"model": model, "model_url": model_url, "mode": mode, **budgets}
    settings = cast("Choices", context.obj).settings(**{name: item for name, item in given.items() if item is not None})
    runtime = Runtime(settings=settings, approve=AtTerminal())
    try:
        if settings.model is not None:
            warm_up()
        target = environment_for(runtime, environment, target=None if environment == DEMO else environment, task=None)
        result = _shown(runtime, query, target, _display(plain, as_json, svg))
    except BaseException:
        runtime.close(wait=False)
        raise
    runtime.close(wait=wait)
    sys.exit(CODES.get(result.ending, 1))


def _display(plain: bool, as_json: bool, svg: Path | None) -> Display:
    if as_json:
        return JsonLines(sys.stdout)
    console = Screen(record=svg is not None, width=WIDTH if svg else None, no_color=plain, highlight=False)
    return RunView(console, live=not plain, svg=svg)


def _shown(runtime: Runtime, query: str, environment: Environment, display: Display) -> RunResult:
    with display as listen:
        return runtime.run(query, environment=environment, listen=listen)
