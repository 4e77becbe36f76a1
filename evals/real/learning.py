"""Learning from runs, task after task, as somebody who ingests them would."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track

from evals.real.runs import Run, trajectory
from evals.tally import Tally
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate_sandbox import FunctionSpec


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What one environment's runs taught, and what it took."""

    runtime: Runtime
    tally: Tally
    runs: int
    seconds: float
    cpu_seconds: float


def opened(database: Path) -> tuple[Runtime, Tally]:
    """Return a runtime that learns in this thread."""
    tally = Tally()
    return Runtime(settings=Settings(database=str(database), worker="inline"), listen=tally), tally


def learn(
    runtime: Runtime, tally: Tally, scope: str, functions: Mapping[str, FunctionSpec], runs: Sequence[Run]
) -> Learned:
    """Learn from runs in their order."""
    started, cpu = time.monotonic(), time.process_time()
    runtime.scopes.remember(scope, functions)
    for run in track(runs, description=f"learning {scope}"):
        runtime.learn(trajectory(run))
    return Learned(
        runtime=runtime,
        tally=tally,
        runs=len(runs),
        seconds=round(time.monotonic() - started, 1),
        cpu_seconds=round(time.process_time() - cpu, 1),
    )
