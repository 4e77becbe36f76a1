"""Tasks of tau2's retail desk with the calls that the benchmark itself expects, from the package that holds them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.real.environments import TAU2, python_of
from nucleate_sandbox import JsonObject

SCOPE = "retail"


@dataclass(frozen=True, kw_only=True)
class Expected:
    """One call that a task expects."""

    name: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True)
class RetailTask:
    """A task: its id, what the customer wants in words, and the expected calls."""

    id: str
    query: str
    calls: tuple[Expected, ...]


def train_tasks(most: int) -> Sequence[RetailTask]:
    """Return the first tasks of the train split that expect calls."""
    folder = _domain()
    split = set(json.loads((folder / "split_tasks.json").read_text(encoding="utf-8"))["train"])
    rows = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    return [_task(row) for row in rows if row["id"] in split and row["evaluation_criteria"]["actions"]][:most]


def _task(row: JsonObject) -> RetailTask:
    scenario, criteria = row["user_scenario"], row["evaluation_criteria"]
    assert isinstance(scenario, dict)
    assert isinstance(criteria, dict)
    told, actions = scenario["instructions"], criteria["actions"]
    assert isinstance(told, dict)
    assert isinstance(actions, list)
    calls = [
        Expected(name=str(item["name"]), arguments=dict(item["arguments"]))  # type: ignore[arg-type]
        for item in actions
        if isinstance(item, dict)
    ]
    return RetailTask(
        id=f"retail-{row['id']}", query=f"{told['reason_for_call']}\n{told['known_info']}", calls=tuple(calls)
    )


def _domain() -> Path:
    libraries = python_of(TAU2).parent.parent / "lib"
    (found,) = libraries.glob("python*/site-packages/tau2/data/tau2/domains/retail")
    return found
