"""The ground truth of BFCL's multi-turn tasks as runs: what the user said turn by turn, and the calls that answer it.

No model made them: they are as regular as their authors, and are counted apart from the runs of real models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.bfcl.functions import load_functions
from evals.bfcl.record import parse_call
from evals.bfcl.source import TASKS, read_lines
from evals.real.environments import BFCL, Child, site_packages
from evals.real.runs import Action, Run
from nucleate_sandbox import FunctionError, FunctionSpec, Json

SCOPE = "bfcl"


@dataclass(frozen=True, kw_only=True)
class Documents:
    """The functions with the order of their parameters, by which calls in text are read."""

    functions: Mapping[str, FunctionSpec]

    def parameter_names(self, name: str) -> list[str]:
        """Return a function's parameters in the order of its description."""
        properties = self.functions[name].parameters.get("properties")
        return list(properties) if isinstance(properties, dict) else []


def described() -> dict[str, FunctionSpec]:
    """Return the functions as the benchmark's documents describe them, within the scope."""
    return {f"{SCOPE}.{name}": spec for name, spec in load_functions(_package()).items()}


def ground_truth(child: Child) -> list[Run]:
    """Return a run for each base task, its calls answered by the benchmark's own APIs."""
    known = Documents(functions=load_functions(_package()))
    answers = {row["id"]: row["ground_truth"] for row in read_lines(_package() / "data" / "possible_answer" / TASKS)}
    return [_run(row, answers[row["id"]], known, child) for row in read_lines(_package() / "data" / TASKS)]


def _package() -> Path:
    return site_packages(BFCL) / "bfcl_eval"


def _run(row: dict[str, Any], turns: list[list[str]], known: Documents, child: Child) -> Run:
    said = tuple("\n".join(message["content"] for message in turn) for turn in row["question"])
    task = {"source": SCOPE, "task_id": row["id"], "configuration": row["initial_config"]}
    actions = tuple(_actions(turns, known, child.start(SCOPE, task)))
    line = {
        "query": said[0],
        "user_turns": [*said],
        "success": True,
        "steps": [
            {"function": one.function, "arguments": one.arguments, "result": one.result, "error": one.failed,
             "turn": one.turn} for one in actions
        ],
    }  # fmt: skip
    return Run(
        id=row["id"], scope=SCOPE, group=row["id"], task=task, turns=said, success=True, actions=actions, row=line
    )


def _actions(turns: list[list[str]], known: Documents, world: Any) -> Iterator[Action]:
    for turn, calls in enumerate(turns, start=1):
        for text in calls:
            step = parse_call(text, known)
            result, failed = _answer(world, step.function, step.arguments)
            yield Action(function=step.function, arguments=step.arguments, result=result, failed=failed, turn=turn)


def _answer(world: Any, function: str, arguments: dict[str, Json]) -> tuple[Json, bool]:
    try:
        return world.call(f"{SCOPE}.{function}", arguments), False
    except FunctionError as error:
        return f"Error: {error.message}", True
