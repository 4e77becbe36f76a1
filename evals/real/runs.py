"""Runs that others recorded, as their files hold them: who asked for what, when, and what was called."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import BadLine, Step, StepError, Trajectory, read_trajectories

DEFENDED = ("transformers_pi_detector", "spotlighting", "repeat_user_prompt", "tool_filter")
LEFT_OUT = ("tau_retail_with_extra_tools", "agentdojo_injected_sample", "tau2_student_domains_es", "swe_agent")
"""Files that hold other functions, other goals or other languages than the environments; `--files` brings them."""

CONTROL = frozenset({"think", "transfer_to_human_agents", "FINISH", "route"})
"""Functions that change nothing and tell nothing that a later call needs."""


@dataclass(frozen=True, kw_only=True)
class Action:
    """One call. `turn` is the number of user messages before it; `mine` is false where the user's device made it."""

    function: str
    arguments: JsonObject
    result: Json
    failed: bool
    turn: int
    mine: bool = True


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run; `group` joins runs of one task, `task` what starts the environment, `turns` all that the user said."""

    id: str
    scope: str
    group: str
    task: Mapping[str, Any]
    turns: tuple[str, ...]
    success: bool | None
    actions: tuple[Action, ...] = field(repr=False)
    row: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def query(self) -> str:
        """Return the user's first message."""
        return self.turns[0] if self.turns else ""

    @property
    def key(self) -> tuple[str, str]:
        """Return what is the same for runs of the same task: its source and its id there."""
        return str(self.task.get("source")), str(self.task.get("task_id"))


def read_runs(folder: Path, files: Sequence[str] = ()) -> dict[str, list[Run]]:
    """Return scope → runs of a folder's files, in an order that no source decides."""
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for path in sorted([*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl")]):
        name = path.name.partition(".")[0]
        if (name in files) if files else not name.startswith(LEFT_OUT):
            for number, row in enumerate(_rows(path), start=1):
                if row.get("query") and _wanted(row):
                    found[_scope(row, name)].append(_run(row, f"{name}:{number}", _scope(row, name)))
    return {scope: sorted(runs, key=lambda run: mixed(run.id)) for scope, runs in sorted(found.items())}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    yield from (json.loads(line) for line in text.decode("utf-8").split("\n") if line.strip())


def _wanted(row: Mapping[str, Any]) -> bool:
    defended = any(word in str(row.get("model")) for word in DEFENDED)
    return not defended and row.get("kind") in (None, "user_task")


def _scope(row: Mapping[str, Any], name: str) -> str:
    words = str(row.get("suite") or row.get("domain") or name).partition("-")[0]
    return "livemcp" if name == "livemcpbench" else words


def _run(row: Mapping[str, Any], id_: str, scope: str) -> Run:
    kept = {key: row[key] for key in ("source", "task_id", "injections") if row.get(key)}
    return Run(
        id=id_,
        scope=scope,
        group=str(row.get("group") or row["task_id"]),
        task=kept,
        turns=tuple(str(text) for text in row.get("user_turns") or [row["query"]]),
        success=row.get("success"),
        actions=tuple(_action(step) for step in row["steps"]),
        row=row,
    )


def _action(step: Mapping[str, Any]) -> Action:
    return Action(
        function=step["function"],
        arguments=step["arguments"] if isinstance(step["arguments"], dict) else {},
        result=step.get("result"),
        failed=bool(step.get("error")),
        turn=int(step.get("turn") or 1),
        mine=step.get("by") != "user",
    )


def held_out(group: str) -> bool:
    """Return whether a group is in the fixed fifth that nothing is learned from."""
    return mixed(group) % 5 == 0


def few_of_each(runs: Iterable[Run], most: int) -> list[Run]:
    """Return at most so many runs of each group, in the order given."""
    counts: defaultdict[str, int] = defaultdict(int)
    kept = []
    for run in runs:
        counts[run.group] += 1
        if counts[run.group] <= most:
            kept.append(run)
    return kept


def cleaned(run: Run) -> Run:
    """Return a run without errors, exact repeats, control calls and the calls of the user's device."""
    kept: list[Action] = []
    seen: set[str] = set()
    for action in run.actions:
        same = json.dumps([action.function, action.arguments, action.result], sort_keys=True, default=str)
        if action.mine and not action.failed and action.function not in CONTROL and same not in seen:
            seen.add(same)
            kept.append(action)
    return replace(run, actions=tuple(kept))


def trajectory(run: Run) -> Trajectory:
    """Return a run as `nucleate ingest` reads it."""
    line = {**run.row, "task_id": run.id, "environment": run.scope, "group": run.group}
    (read,) = read_trajectories([json.dumps(line)], environment=run.scope)
    if isinstance(read, BadLine):
        raise ValueError(f"run {run.id!r} cannot be read: {read.message}")
    return read


def step(action: Action, scope: str) -> Step:
    """Return a call as a step."""
    error = StepError(kind="EnvironmentError", message=_message(action.result)) if action.failed else None
    name = f"{scope}.{action.function}"
    return Step(function=name, arguments=action.arguments, result=None if error else action.result, error=error)


def _message(result: Json) -> str:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return text.removeprefix("Error: ")[:500]


def mixed(text: str) -> int:
    """Return a number that a text alone decides, for orders and splits that nobody chose."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
