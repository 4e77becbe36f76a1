"""`python -m evals.host`: a table of what a program meets that is recorded under each trouble (docs/recording.md)."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evals.host.troubles import TROUBLES, Trouble
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings

QUIET = {"NUCLEATE_EXIT_SECONDS": "0", "NUCLEATE_SANDBOX": "monty"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one run of the program gave; times in milliseconds."""

    name: str
    right: int
    tasks: int
    first: float
    median: float
    worst: float
    lines: int
    later: str


def run(database: str, trouble: Trouble, home: Path) -> Row:
    """Run the program once."""
    told = {**os.environ, **QUIET, "XDG_CACHE_HOME": str(home), **trouble.variables}
    ran = subprocess.run(
        [sys.executable, "-m", "evals.host.program", database, *trouble.words],
        env=told,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=trouble.limited,
    )
    found = json.loads(ran.stdout)
    _start, first, *others = found["milliseconds"]
    return Row(
        name=trouble.name,
        right=sum(found["answers"]),
        tasks=len(found["answers"]),
        first=first,
        median=statistics.median(others),
        worst=max(others),
        lines=len(ran.stderr.splitlines()),
        later="",
    )


def under(trouble: Trouble, folder: Path) -> str:
    """Run the program under a trouble, then take in what waits; return a row of the table."""
    home, path = folder / "cache", folder / "n.db"
    settings = Settings(database=str(path), worker="off", sandbox="monty")
    os.environ["XDG_CACHE_HOME"] = str(home)
    Runtime(settings=settings).close()
    with trouble.spoiled(path):
        row = run(trouble.place(path), trouble, home)
    with Runtime(settings=settings) as runtime:
        runtime.worker.prepare()
        stored = len(runtime.memory.task_ids())
    return told(row, f"{stored} of {row.tasks}")


def told(row: Row, later: str) -> str:
    """Return a row as text."""
    times = f"{row.first:.0f} | {row.median:.1f} | {row.worst:.0f}"
    return f"| {row.name} | {row.right} of {row.tasks} | {times} | {row.lines} | {later} |"


def main() -> None:
    """Print the table."""
    print("| trouble | right answers | first task, ms | others, median | worst | lines on stderr | stored afterwards |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        print(told(run("-", Trouble(name="not recorded"), Path(place)), "–"), flush=True)
    for trouble in TROUBLES:
        with tempfile.TemporaryDirectory() as place:
            print(under(trouble, Path(place)), flush=True)


if __name__ == "__main__":
    main()
