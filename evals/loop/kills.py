"""Kill a worker by SIGKILL in the middle of codification and reflection, again and again: nothing lost, nothing twice.

    python -m evals.loop.kills [--kills N] [--seed N] [--json FILE]

Six tasks are recorded and queued. One worker learns from them undisturbed; on a copy of the same database one worker
after another is killed at a random statement or commit, and the last may finish. What both leave behind is compared:
jobs, tools and their versions, verdicts, entries with their evidence and events, reviews, and the plans' buffers.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import create_engine, text

from nucleate import Recording, Runtime, Settings, effect
from nucleate_sandbox import FunctionError, ScriptedSandbox

ROOT = Path(__file__).parents[2]
TASKS = (
    ("ada", "the printer hums"),
    ("bo", "no sound at all"),
    ("cy", "the screen stays black"),
    ("di", "no sound on the left"),
    ("ed", "keys are stuck"),
    ("fay", "the charger is lost"),
)
# What is compared: everything that was learned, without moments, owners and the numbers of rows.
LEFT: Mapping[str, str] = {
    "jobs": "SELECT key, state, error FROM job",
    "tools": "SELECT tool.name, state, tool_version.id FROM tool JOIN tool_version ON tool_version.name = tool.name",
    "verdicts": "SELECT candidate, decision FROM verdict",
    "entries": "SELECT id, status, confidence FROM entry",
    "links": "SELECT entry_id, relation, target, start, stop FROM entry_link",
    "events": "SELECT entry_id, action, author, why, other FROM entry_event",
    "reviews": "SELECT task_id, record FROM review",
    "buffers": "SELECT plan_id, task_id, related FROM recurrence",
}


Left: TypeAlias = Mapping[str, Counter[tuple[object, ...]]]


class Desk:
    """A help desk."""

    @effect("read")
    def find_customer(self, email: str) -> dict[str, str]:
        """Find a customer by e-mail address."""
        if "@" not in email:
            raise LookupError("that is no address")
        return {"customer_id": f"c-{email.split('@')[0]}"}

    def open_ticket(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket for a customer."""
        return {"ticket_id": f"t-{customer_id}-{len(text)}"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What was lost and what is there twice, by what it is, after so many kills; a job counts as lost unless done."""

    kills: int
    points: int
    lost: Mapping[str, int]
    doubled: Mapping[str, int]

    @property
    def jobs_lost(self) -> int:
        return sum(self.lost.values())

    @property
    def jobs_doubled(self) -> int:
        return sum(self.doubled.values())


def measure(*, kills: int, seed: int) -> Outcome:
    """Return what became of the work of killed workers: of one after another, until enough of them have died."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, undisturbed, counts = (Path(folder) / name for name in ("recorded.db", "undisturbed.db", "counts"))
        _record(recorded)
        shutil.copy(recorded, undisturbed)
        _work(undisturbed, counts)
        points = json.loads(counts.read_text(encoding="utf-8"))
        found = [left(undisturbed)]
        chosen, killed = random.Random(seed), 0
        while killed < kills:
            disturbed = Path(folder) / f"disturbed-{killed}.db"
            shutil.copy(recorded, disturbed)
            while killed < kills and _work(disturbed, counts, point=chosen.randint(1, max(points // 6, 1))):
                killed += 1
            _work(disturbed, counts)
            found.append(left(disturbed))
        return _compared(*found, kills=killed, points=points)


def left(database: Path) -> Left:
    """Return what a database holds after all work, how often each."""
    engine = create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        found = {name: Counter(map(tuple, connection.execute(text(query)))) for name, query in LEFT.items()}
    engine.dispose()
    return found


def _compared(wanted: Left, *found: Left, kills: int, points: int) -> Outcome:
    return Outcome(
        kills=kills,
        points=points,
        lost={name: sum((wanted[name] - one[name]).total() for one in found) for name in LEFT},
        doubled={name: sum((one[name] - wanted[name]).total() for one in found) for name in LEFT},
    )


def _record(database: Path) -> None:
    """Record the tasks; nobody learns from them yet."""
    settings = Settings(database=str(database), worker="off")
    with Runtime(Desk(), settings=settings, sandbox=ScriptedSandbox()) as runtime:
        for number, (name, words) in enumerate(TASKS):
            with runtime.record(f"{name}@desk.test says: {words}.", task_id=f"task-{number}") as run:
                _solve(run, name, words)
                run.finish(success=True)


def _solve(run: Recording, name: str, words: str) -> None:
    try:
        run.call("desk.find_customer", {"email": name})
    except FunctionError:
        run.call("desk.find_customer", {"email": f"{name}@desk.test"})
    run.call("desk.open_ticket", {"customer_id": f"c-{name}", "text": words})


def _work(database: Path, counts: Path, *, point: int = 0) -> bool:
    """Let one worker learn, to the end or to a point where it is killed; return whether it was killed."""
    command = [sys.executable, "-m", "evals.loop.kills_worker", str(database), str(counts), str(point)]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if ended.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"a worker ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.returncode != 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; the exit code is 1 where something is lost or there twice."""
    parser = argparse.ArgumentParser(prog="python -m evals.loop.kills", description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--json", type=Path, help="write {lost, doubled} to this file, for python -m evals.loop --killed"
    )
    chosen = parser.parse_args(arguments)
    outcome = measure(kills=chosen.kills, seed=chosen.seed)
    print(json.dumps({**asdict(outcome), "jobs_lost": outcome.jobs_lost, "jobs_doubled": outcome.jobs_doubled}))
    if chosen.json is not None:
        figures = {"lost": outcome.jobs_lost, "doubled": outcome.jobs_doubled}
        chosen.json.write_text(json.dumps(figures), encoding="utf-8")
    return 1 if outcome.jobs_lost or outcome.jobs_doubled else 0


if __name__ == "__main__":
    sys.exit(main())
